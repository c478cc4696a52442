// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An asm statement's operands are the registers of a body: `$3` in LLVM's text is `%$3`
// there. The outputs come before the inputs, and an input may share the register of an
// output ("+r" in the source). Functions are inlined, so that nothing is left of them.

#include "InlineAssembly.h"
#include "Body.h"
#include "Carries.h"
#include "Parser.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace het;
using namespace het::ptx;
using namespace llvm;

namespace {

/// The width of the registers that a constraint's letter stands for; 0 for constants.
unsigned widthOf(StringRef letter, llvm::Type *type) {
  if (letter == "r" || letter == "f")
    return 32;
  if (letter == "l" || letter == "d")
    return 64;
  if (letter == "h" || letter == "c")
    return 16;
  if (letter == "q")
    return 128;
  if (letter == "b")
    return 1;
  if (letter == "n" || letter == "i" || letter == "C" || letter == "s")
    return 0;
  return type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
}

/// One statement, as a call whose arguments are the inputs.
class AsmStatement {
public:
  AsmStatement(CallInst &call, unsigned number)
      : call(call), assembly(cast<InlineAsm>(call.getCalledOperand())),
        constraints(assembly->ParseConstraints()), number(number) {
    for (const InlineAsm::ConstraintInfo &constraint : constraints)
      outputs += constraint.Type == InlineAsm::isOutput;
  }

  /// The function that does what the statement says; null, with the reason, if none can.
  Function *translate();
  const std::string &fault() const { return reason; }

private:
  bool substitute();
  bool substituteOne(StringRef &rest);
  std::optional<std::string> constantText(unsigned index) const;
  Value *argumentOf(unsigned index) const;
  std::string nameOf(unsigned index) const { return "%$" + std::to_string(index); }
  llvm::Type *outputType(unsigned index) const;
  void declareOperands(Body &body, Function &function);
  void returnOutputs(Body &body);
  StringRef letterOf(unsigned index) const {
    const auto &codes = constraints[index].Codes;
    return codes.empty() ? StringRef() : StringRef(codes.front());
  }

  CallInst &call;
  InlineAsm *assembly;
  InlineAsm::ConstraintInfoVector constraints;
  unsigned outputs = 0;
  unsigned number;
  std::string text;
  std::vector<std::string> names; ///< They outlive the body.
  SmallVector<AllocaInst *> registers;
  std::string reason;
};

} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The characters of a string that a constant points at.
static std::optional<std::string> stringOf(const Value *value) {
  auto *variable = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  auto *data = variable && variable->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(variable->getInitializer())
                   : nullptr;
  if (!data || !data->isString())
    return std::nullopt;
  return data->getAsString().rtrim('\0').str();
}

/// What stands in the text for an operand that is a constant.
std::optional<std::string> AsmStatement::constantText(unsigned index) const {
  Value *value = argumentOf(index);
  if (!value)
    return std::nullopt;
  if (auto *integer = dyn_cast<ConstantInt>(value))
    return toString(integer->getValue(), 10, /*Signed=*/true);
  return stringOf(value);
}

/// The call's argument of an input.
Value *AsmStatement::argumentOf(unsigned index) const {
  unsigned argument = 0;
  for (unsigned i = 0; i < index; ++i)
    argument += constraints[i].Type == InlineAsm::isInput || constraints[i].isIndirect;
  return argument < call.arg_size() ? call.getArgOperand(argument) : nullptr;
}

bool AsmStatement::substituteOne(StringRef &rest) {
  if (rest.consume_front("$")) {
    text += '$';
    return true;
  }
  const bool isBraced = rest.consume_front("{");
  unsigned index = 0;
  if (rest.consumeInteger(10, index) || index >= constraints.size() ||
      constraints[index].Type == InlineAsm::isClobber) {
    reason = "an operand that there is not";
    return false;
  }
  if (isBraced) {
    rest = rest.drop_until([](char c) { return c == '}'; });
    rest.consume_front("}");
  }
  if (constraints[index].Type != InlineAsm::isInput ||
      widthOf(letterOf(index), call.getType())) {
    text += nameOf(index);
    return true;
  }
  std::optional<std::string> constant = constantText(index);
  if (!constant) {
    reason = "operand " + std::to_string(index) + " of '" + letterOf(index).str() +
             "': found a value that varies, expected a constant";
    return false;
  }
  text += *constant;
  return true;
}

bool AsmStatement::substitute() {
  StringRef rest = assembly->getAsmString();
  while (true) {
    const auto [before, behind] = rest.split('$');
    text += before;
    if (before.size() == rest.size())
      return true;
    rest = behind;
    if (!substituteOne(rest))
      return false;
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

llvm::Type *AsmStatement::outputType(unsigned index) const {
  auto *types = dyn_cast<StructType>(call.getType());
  return types ? types->getElementType(index) : call.getType();
}

/// A value as the integer that a register of so many bits holds.
static Value *toRegister(IRBuilder<> &b, Value *value, unsigned width) {
  if (value->getType()->isPointerTy())
    value = b.CreatePtrToInt(value, b.getInt64Ty());
  else if (!value->getType()->isIntegerTy())
    value =
        b.CreateBitCast(value, b.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  return b.CreateZExtOrTrunc(value, b.getIntNTy(width));
}

static Value *fromRegister(IRBuilder<> &b, Value *value, llvm::Type *type) {
  if (type->isPointerTy())
    return b.CreateIntToPtr(value, type);
  value = b.CreateZExtOrTrunc(value, b.getIntNTy(type->getPrimitiveSizeInBits()));
  return b.CreateBitCast(value, type);
}

void AsmStatement::declareOperands(Body &body, Function &function) {
  IRBuilder<> &b = body.builder;
  for (unsigned i = 0; i < outputs; ++i)
    registers.push_back(body.addRegister(nameOf(i), widthOf(letterOf(i), outputType(i))));
  unsigned argument = 0;
  for (unsigned i = outputs; i < constraints.size(); ++i) {
    if (constraints[i].Type != InlineAsm::isInput)
      continue;
    Value *value = function.getArg(argument++);
    const StringRef letter = letterOf(i);
    unsigned tied = 0;
    if (!letter.getAsInteger(10, tied)) {
      b.CreateStore(
          toRegister(b, value, registers[tied]->getAllocatedType()->getIntegerBitWidth()),
          registers[tied]);
      continue;
    }
    const unsigned width = widthOf(letter, value->getType());
    if (width == 0)
      continue;
    // An address stays a pointer.
    const bool isAddress = value->getType()->isPointerTy() && width == 64;
    body.addValue(nameOf(i), isAddress ? value : toRegister(b, value, width), width);
  }
}

void AsmStatement::returnOutputs(Body &body) {
  IRBuilder<> &b = body.builder;
  if (outputs == 0) {
    b.CreateRetVoid();
    return;
  }
  SmallVector<Value *> values;
  for (unsigned i = 0; i < outputs; ++i) {
    Value *value = b.CreateLoad(registers[i]->getAllocatedType(), registers[i]);
    values.push_back(fromRegister(b, value, outputType(i)));
  }
  if (!isa<StructType>(call.getType())) {
    b.CreateRet(values.front());
    return;
  }
  Value *all = PoisonValue::get(call.getType());
  for (unsigned i = 0; i < outputs; ++i)
    all = b.CreateInsertValue(all, values[i], i);
  b.CreateRet(all);
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// A reason with the line of the text, if that has several.
static std::string describe(const Fault &fault, StringRef text) {
  // Operands as the source has them.
  std::string message = fault.message;
  for (size_t at; (at = message.find("%$")) != std::string::npos;)
    message.erase(at + 1, 1);
  if (text.trim().contains('\n'))
    message += " (line " + std::to_string(fault.line) + " of the assembly)";
  return message;
}

Function *AsmStatement::translate() {
  for (const InlineAsm::ConstraintInfo &constraint : constraints)
    if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel) {
      reason = "an operand in memory or a label is not supported";
      return nullptr;
    }
  if (!substitute())
    return nullptr;
  Parser parser(text);
  std::optional<std::vector<ptx::Statement>> statements = parser.parseBody();
  if (!statements) {
    reason = describe(parser.fault(), text);
    return nullptr;
  }
  auto *function = Function::Create(call.getFunctionType(), GlobalValue::InternalLinkage,
                                    "__het_asm_" + Twine(number), call.getModule());
  function->addFnAttr(Attribute::AlwaysInline);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::Convergent);
  Body body(*function, assembly->hasSideEffects());
  declareOperands(body, *function);
  if (!body.run(*statements)) {
    reason = describe(body.fault(), text);
    function->deleteBody();
    function->eraseFromParent();
    return nullptr;
  }
  returnOutputs(body);
  removeUnreachableBlocks(*function);
  if (!verifyFunction(*function))
    return function;
  reason = "it makes no valid code";
  function->deleteBody();
  function->eraseFromParent();
  return nullptr;
}

namespace {

class Expander {
public:
  explicit Expander(Module &module) : module(module) {}

  void run() {
    SmallVector<CallInst *> calls;
    for (Function &function : module)
      for (llvm::Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
          calls.push_back(call);
    for (CallInst *call : calls)
      if (!isEmpty(*call))
        expand(*call);
  }

private:
  /// Nothing but an obstacle to the compiler, which is removed when it is over.
  static bool isEmpty(const CallInst &call) {
    return cast<InlineAsm>(call.getCalledOperand())->getAsmString().trim().empty();
  }

  void expand(CallInst &call);
  void refuse(CallInst &call, StringRef reason);

  Module &module;
  /// What statements without constants in their text have become.
  DenseMap<std::pair<Value *, FunctionType *>, Function *> known;
  unsigned count = 0;
};

} // namespace

void Expander::refuse(CallInst &call, StringRef reason) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  call.setCalledOperand(
      InlineAsm::get(assembly->getFunctionType(), (refusedAssembly + reason).str(),
                     assembly->getConstraintString(), assembly->hasSideEffects(),
                     assembly->isAlignStack()));
}

void Expander::expand(CallInst &call) {
  const bool isFixed = none_of(call.args(), [](const Use &argument) {
    return isa<llvm::Constant>(argument.get());
  });
  Function *&shared = known[{call.getCalledOperand(), call.getFunctionType()}];
  Function *function = isFixed ? shared : nullptr;
  if (!function) {
    AsmStatement statement(call, count++);
    function = statement.translate();
    if (!function)
      return refuse(call, statement.fault());
    if (isFixed)
      shared = function;
  }
  call.setCalledFunction(function);
  // What the statement was said to touch, the function tells by itself.
  call.setAttributes(AttributeList());
  call.addFnAttr(Attribute::Convergent);
}

void het::expandInlineAssembly(Module &module) {
  Expander(module).run();
  settleCarries(module);
}
