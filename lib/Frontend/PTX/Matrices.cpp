// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in the registers of a warp (PTX ISA, Warp-level Matrix Instructions): calls
// that Raise makes hetIR's operations of.

#include "Matrices.h"

#include "llvm/IR/Module.h"

using namespace het;
using namespace het::ptx;
using namespace llvm;

/// Calls one of the functions of MatrixCalls.h; all lanes of a warp do.
static CallInst *callMatrixFunction(Emitter &e, const std::string &name,
                                    ArrayRef<Value *> arguments, llvm::Type *type,
                                    bool touchesMemory) {
  SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee =
      e.body.module().getOrInsertFunction(name, FunctionType::get(type, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  function->setWillReturn();
  if (!touchesMemory)
    function->setDoesNotAccessMemory();
  CallInst *call = e.b.CreateCall(callee, arguments);
  call->setConvergent();
  return call;
}

/// So many registers, as a function returns them.
static llvm::Type *registersType(Emitter &e, unsigned count, unsigned width) {
  if (count == 1)
    return e.integer(width);
  return StructType::get(e.b.getContext(),
                         SmallVector<llvm::Type *>(count, e.integer(width)));
}

ArrayRef<Operand> het::ptx::partsOf(const Operand &operand) {
  return operand.kind == Operand::Kind::Vector ? ArrayRef<Operand>(operand.parts)
                                               : ArrayRef<Operand>(operand);
}

bool het::ptx::hasParts(Emitter &e, unsigned index, unsigned count) {
  const size_t found = partsOf(e.operand(index)).size();
  if (found == count)
    return true;
  e.fail("operand " + Twine(index + 1) + ": found " + Twine(found) +
         " registers, expected " + Twine(count));
  return false;
}

SmallVector<Value *> het::ptx::readParts(Emitter &e, unsigned index, unsigned width) {
  SmallVector<Value *> values;
  for (const Operand &part : partsOf(e.operand(index)))
    values.push_back(e.source(part, het::ptx::Type::ofBits(width)));
  return values;
}

/// The elements of what a function returns.
static SmallVector<Value *> unpack(Emitter &e, Value *values) {
  auto *type = dyn_cast<StructType>(values->getType());
  if (!type)
    return {values};
  SmallVector<Value *> parts;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    parts.push_back(e.b.CreateExtractValue(values, i));
  return parts;
}

static void writeParts(Emitter &e, unsigned index, ArrayRef<Value *> values) {
  for (auto [part, value] : zip(partsOf(e.operand(index)), values))
    e.result(part, value);
}

bool het::ptx::readShape(StringRef word, MatrixProduct &product) {
  return word.consume_front("m") && !word.consumeInteger(10, product.m) &&
         word.consume_front("n") && !word.consumeInteger(10, product.n) &&
         word.consume_front("k") && !word.consumeInteger(10, product.k) && word.empty();
}

SmallVector<Value *> het::ptx::multiplyMatrices(Emitter &e, const MatrixProduct &product,
                                                ArrayRef<Value *> registers) {
  const ir::MatrixForm &form = *product.form();
  llvm::Type *type =
      registersType(e, form.registersOfSum(product.d), form.registerBits());
  return unpack(e, callMatrixFunction(e, product.callName(), registers, type, false));
}

SmallVector<Value *> het::ptx::loadMatrixRows(Emitter &e, MatrixRows rows, Value *address,
                                              Value *stride) {
  rows.isShared = address->getType()->getPointerAddressSpace() == Shared;
  if (!rows.isShared)
    address = e.b.CreateAddrSpaceCast(address, e.b.getPtrTy());
  CallInst *call = callMatrixFunction(e, rows.callName(), {address, stride},
                                      registersType(e, rows.count, 32), true);
  call->getCalledFunction()->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref));
  return unpack(e, call);
}

/// The product that the modifiers name: D's type comes first, then those of A, B and C.
static MatrixProduct readProduct(const Emitter &e) {
  MatrixProduct product;
  SmallVector<ir::MatrixType *> types{&product.d, &product.a, &product.b, &product.c};
  auto *next = types.begin();
  for (StringRef word : e.instruction.modifiers) {
    if (auto type = ir::symbolizeMatrixType(word); type && next != types.end())
      **next++ = *type;
    else
      (void)readShape(word, product);
  }
  if (e.has("popc"))
    product.kind = e.has("and") ? ir::MatrixKind::AndCount : ir::MatrixKind::XorCount;
  product.saturates = e.has("satfinite");
  return product;
}

void het::ptx::emitMatrixMultiply(Emitter &e) {
  const MatrixProduct product = readProduct(e);
  const ir::MatrixForm *form = product.form();
  if (!form)
    return e.fail("the types do not have this shape");
  if (product.c != product.d)
    return e.fail("C and D must be of one type");
  const unsigned width = form->registerBits();
  if (!hasParts(e, 0, form->registersOfSum(product.d)) ||
      !hasParts(e, 1, form->registersOfA()) || !hasParts(e, 2, form->registersOfB()) ||
      !hasParts(e, 3, form->registersOfSum(product.c)))
    return;
  SmallVector<Value *> registers;
  for (unsigned index : {1, 2, 3})
    append_range(registers, readParts(e, index, width));
  writeParts(e, 0, multiplyMatrices(e, product, registers));
}

static unsigned matrixCount(const Emitter &e) {
  return e.firstOf({"x1", "x2", "x4"})[1] - '0';
}

void het::ptx::emitMatrixLoad(Emitter &e) {
  const unsigned count = matrixCount(e);
  if (!hasParts(e, 0, count))
    return;
  Value *address = e.address(1);
  // One declaration serves addresses of any space.
  address = e.b.CreateAddrSpaceCast(address, e.b.getPtrTy());
  writeParts(e, 0,
             unpack(e, callMatrixFunction(e, matrixLoadName(count, e.has("trans")),
                                          address, registersType(e, count, 32), true)));
}

void het::ptx::emitMatrixStore(Emitter &e) {
  const unsigned count = matrixCount(e);
  if (!hasParts(e, 1, count))
    return;
  SmallVector<Value *> arguments{e.b.CreateAddrSpaceCast(e.address(0), e.b.getPtrTy())};
  append_range(arguments, readParts(e, 1, 32));
  callMatrixFunction(e, matrixStoreName(count, e.has("trans")), arguments,
                     e.b.getVoidTy(), true);
}

void het::ptx::emitMatrixTranspose(Emitter &e) {
  e.result(callMatrixFunction(e, matrixTransposeName.str(), e.bits(1, 32), e.integer(32),
                              false));
}
