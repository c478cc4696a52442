// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, returns and branches through lists (PTX ISA, Control Flow Instructions).

#include "Calls.h"
#include "Emitter.h"

#include "llvm/IR/Module.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

bool het::ptx::isByAddress(const Variable &variable) {
  return variable.count || variable.isOpen || variable.vector > 1;
}

llvm::Type *het::ptx::typeOf(const Variable &variable, LLVMContext &context) {
  if (isByAddress(variable))
    return ArrayType::get(llvm::Type::getInt8Ty(context), variable.bytes());
  if (variable.type.kind == PtxType::Kind::Float && variable.type.width() == 32)
    return llvm::Type::getFloatTy(context);
  if (variable.type.kind == PtxType::Kind::Float && variable.type.width() == 64)
    return llvm::Type::getDoubleTy(context);
  return IntegerType::get(context, variable.type.width());
}

/// Of a function's parameter. Texts need not agree whether 32 bits are floating point.
static llvm::Type *passedType(const Variable &variable, LLVMContext &context) {
  return IntegerType::get(context, variable.type.width());
}

FunctionType *het::ptx::functionTypeOf(const Signature &signature, LLVMContext &context,
                                       bool isEntry) {
  if (signature.results.size() > 1)
    return nullptr;
  llvm::Type *result = llvm::Type::getVoidTy(context);
  SmallVector<llvm::Type *> parameters;
  for (const Variable &variable : signature.results)
    if (isByAddress(variable))
      parameters.push_back(PointerType::get(context, 0));
    else
      result = passedType(variable, context);
  for (const Variable &variable : signature.parameters)
    parameters.push_back(isByAddress(variable) ? PointerType::get(context, 0)
                         : isEntry             ? typeOf(variable, context)
                                               : passedType(variable, context));
  return FunctionType::get(result, parameters, false);
}

namespace {

/// The parts of a call: `(results), callee, (arguments), prototype`.
struct CallParts {
  ArrayRef<Operand> results, arguments;
  StringRef callee, prototype;
  bool isValid = false;

  explicit CallParts(ArrayRef<Operand> operands) {
    if (!operands.empty() && operands.front().kind == Operand::Kind::List) {
      results = operands.front().parts;
      operands = operands.drop_front();
    }
    if (operands.empty() || operands.front().kind != Operand::Kind::Name)
      return;
    callee = operands.front().name;
    operands = operands.drop_front();
    if (!operands.empty() && operands.front().kind == Operand::Kind::List) {
      arguments = operands.front().parts;
      operands = operands.drop_front();
    }
    if (!operands.empty() && operands.front().kind == Operand::Kind::Name) {
      prototype = operands.front().name;
      operands = operands.drop_front();
    }
    isValid = operands.empty();
  }
};

/// Who is called, and how.
struct Callee {
  FunctionCallee function;
  const Signature *signature = nullptr;
};

Callee findCallee(Emitter &e, const CallParts &parts) {
  const Symbol *symbol = e.body.find(parts.callee);
  if (symbol && symbol->kind == Symbol::Kind::Function) {
    auto *function = cast<llvm::Function>(symbol->value);
    return {FunctionCallee(function), symbol->signature};
  }
  const Symbol *list = e.body.find(parts.prototype);
  if (!symbol || !list || list->kind != Symbol::Kind::List ||
      list->list->kind != Statement::Kind::Prototype) {
    e.fail("'" + parts.callee + "' is no function, and there is no prototype");
    return {};
  }
  FunctionType *type = functionTypeOf(list->list->signature, e.b.getContext());
  if (!type) {
    e.fail("more than one result is not supported");
    return {};
  }
  Operand name;
  name.name = parts.callee;
  Value *address =
      e.b.CreateIntToPtr(e.source(name, PtxType::ofBits(64)), e.b.getPtrTy());
  return {FunctionCallee(type, address), &list->list->signature};
}

/// The address of a variable; null if the operand is none.
Value *variableOf(Emitter &e, const Operand &operand) {
  const Symbol *symbol =
      operand.kind == Operand::Kind::Name ? e.body.find(operand.name) : nullptr;
  return symbol && symbol->kind == Symbol::Kind::Variable ? symbol->value : nullptr;
}

Value *argumentOf(Emitter &e, const Operand &operand, const Variable &parameter,
                  llvm::Type *type) {
  Value *variable = variableOf(e, operand);
  if (isByAddress(parameter)) {
    if (!variable)
      e.fail("an argument that is an array is not a variable");
    return variable ? variable : PoisonValue::get(type);
  }
  llvm::Type *own = typeOf(parameter, e.b.getContext());
  Value *value =
      variable ? e.b.CreateLoad(own, variable) : e.source(operand, parameter.type);
  // Functions of the runtime take pointers.
  if (type->isPointerTy())
    return e.b.CreateIntToPtr(value, type);
  return e.b.CreateBitCast(value, type);
}

} // namespace

void het::ptx::emitCall(Emitter &e) {
  const CallParts parts(e.instruction.operands);
  if (!e.body.isOfModule() || !parts.isValid)
    return e.fail(
        "found a call of another form, expected (results), function, (arguments)");
  Callee callee = findCallee(e, parts);
  if (!callee.signature)
    return;
  const Signature &signature = *callee.signature;
  if (parts.results.size() != signature.results.size() ||
      parts.arguments.size() != signature.parameters.size())
    return e.fail("found " + Twine(parts.arguments.size()) + " arguments, expected " +
                  Twine(signature.parameters.size()));
  FunctionType *type = callee.function.getFunctionType();
  SmallVector<Value *> arguments;
  const bool isResultByAddress =
      !signature.results.empty() && isByAddress(signature.results.front());
  if (isResultByAddress)
    arguments.push_back(
        argumentOf(e, parts.results.front(), signature.results.front(), e.b.getPtrTy()));
  for (unsigned i = 0; i < parts.arguments.size(); ++i)
    arguments.push_back(argumentOf(e, parts.arguments[i], signature.parameters[i],
                                   type->getParamType(arguments.size())));
  CallInst *call = e.b.CreateCall(callee.function, arguments);
  if (parts.results.empty() || isResultByAddress)
    return;
  Value *made = call;
  if (made->getType()->isPointerTy())
    made = e.b.CreatePtrToInt(made, e.b.getInt64Ty());
  if (Value *variable = variableOf(e, parts.results.front()))
    e.b.CreateStore(made, variable);
  else
    e.result(parts.results.front(), made);
}

void het::ptx::emitReturn(Emitter &e) {
  if (!e.body.isOfModule())
    return e.fail("an asm statement does not return from its function");
  e.body.createReturn();
  e.body.startUnreached();
}

void het::ptx::emitIndexedBranch(Emitter &e) {
  const Symbol *list = e.body.find(e.operand(1).name);
  if (!list || list->kind != Symbol::Kind::List ||
      list->list->kind != Statement::Kind::Targets)
    return e.fail("'" + e.operand(1).name + "' is no list of .branchtargets");
  BasicBlock *outside = e.body.createBlock();
  SwitchInst *choice = e.b.CreateSwitch(e.bits(0, 32), outside);
  uint32_t index = 0;
  for (const Operand &target : list->list->instruction.operands) {
    const Symbol *label = e.body.find(target.name);
    if (!label || label->kind != Symbol::Kind::Label)
      return e.fail("'" + target.name + "' is no label");
    choice->addCase(e.b.getInt32(index++), label->block);
  }
  e.b.SetInsertPoint(outside);
  e.b.CreateUnreachable();
  e.body.startUnreached();
}
