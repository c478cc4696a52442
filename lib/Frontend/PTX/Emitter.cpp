// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"
#include "../SharedAddresses.h"
#include "SpecialRegisters.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/Module.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

Emitter::Emitter(Body &body, const Instruction &instruction)
    : b(body.builder), body(body), instruction(instruction) {
  for (StringRef word : instruction.modifiers)
    if (std::optional<PtxType> type = readType(word))
      types.push_back(*type);
}

void Emitter::fail(const Twine &why) {
  body.fail("the PTX instruction '" + instruction.text + "': " + why);
}

bool Emitter::has(StringRef word) const {
  return is_contained(instruction.modifiers, word);
}

StringRef Emitter::firstOf(ArrayRef<StringRef> words) const {
  for (StringRef modifier : instruction.modifiers)
    if (is_contained(words, modifier))
      return modifier;
  return {};
}

PtxType Emitter::type(unsigned index) const {
  return index < types.size() ? types[index] : PtxType::ofBits(32);
}

llvm::Type *Emitter::irType(PtxType type) const {
  if (type.lanes > 1)
    return FixedVectorType::get(irType(type.lane()), type.lanes);
  if (type.kind == PtxType::Kind::BFloat)
    return b.getBFloatTy();
  if (type.kind == PtxType::Kind::Float) {
    switch (type.bits) {
    case 16:
      return b.getHalfTy();
    case 32:
      return b.getFloatTy();
    case 64:
      return b.getDoubleTy();
    default:
      break;
    }
  }
  return integer(type.bits);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

static std::string bitsOf(unsigned width) {
  return width == 1 ? "a predicate" : "a register of " + std::to_string(width) + " bits";
}

Value *Emitter::constantOf(const Operand &operand, PtxType type) {
  if (operand.kind == Operand::Kind::Integer && !type.isFloat())
    return ConstantInt::get(integer(type.width()),
                            APInt(64, operand.integer).sextOrTrunc(type.width()));
  if (operand.kind == Operand::Kind::Real && type.lanes == 1) {
    // A constant of floating point is as wide as what it goes into.
    APFloat value(llvm::bit_cast<double>(operand.integer));
    bool loses = false;
    const fltSemantics &semantics =
        type.width() == 64   ? APFloat::IEEEdouble()
        : type.width() == 32 ? APFloat::IEEEsingle()
                             : irType(type)->getScalarType()->getFltSemantics();
    value.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
    return ConstantInt::get(b.getContext(), value.bitcastToAPInt());
  }
  fail("a constant of this kind cannot stand here");
  return PoisonValue::get(integer(type.width()));
}

/// The address of a variable or function as a number: in its own space, but that global
/// addresses are generic ones.
Value *Emitter::addressBits(Value *pointer, uint64_t offset, unsigned width) {
  if (pointer->getType()->getPointerAddressSpace() == Global)
    pointer = b.CreateAddrSpaceCast(pointer, b.getPtrTy());
  if (offset)
    pointer = b.CreatePtrAdd(pointer, b.getInt64(offset));
  // Addresses of shared memory may be words.
  const bool isShort =
      width == 32 && pointer->getType()->getPointerAddressSpace() == Shared;
  return b.CreatePtrToInt(pointer, isShort ? b.getInt32Ty() : b.getInt64Ty());
}

Value *Emitter::loadRegister(const Operand &operand, unsigned width, bool mayBeWider) {
  Value *value = nullptr;
  if (const Symbol *symbol = body.find(operand.name)) {
    if (symbol->kind == Symbol::Kind::Register)
      value = b.CreateLoad(integer(symbol->width), symbol->value);
    else if (symbol->value)
      value = symbol->value;
    else
      fail("'" + operand.name + "' is no value");
    if (value && value->getType()->isPointerTy())
      value = addressBits(value, operand.integer, width);
  } else if (operand.name.starts_with("%") || operand.name == "WARP_SZ") {
    value = readSpecialRegister(b, operand.name);
    if (!value)
      body.fail("the special register '" + operand.name + "' is not supported yet");
    else // A move may be of another width than the register.
      value = b.CreateZExtOrTrunc(value, integer(width));
  } else {
    fail("'" + operand.name + "' is not declared");
  }
  if (!value)
    return PoisonValue::get(integer(width));
  const unsigned own = value->getType()->getIntegerBitWidth();
  if (own == width)
    return value;
  if (!mayBeWider || own < width || own == 1 || width == 1)
    fail("'" + operand.name + "': found " + bitsOf(own) + ", expected " + bitsOf(width));
  return b.CreateZExtOrTrunc(value, integer(width));
}

Value *Emitter::asType(Value *value, PtxType type) {
  return b.CreateBitCast(value, irType(type));
}

Value *Emitter::source(const Operand &operand, PtxType type) {
  Value *value;
  if (operand.kind == Operand::Kind::Vector) {
    // The first part is the lowest.
    const unsigned parts = operand.parts.size();
    if (parts == 0 || type.width() % parts != 0) {
      fail("a vector of this length cannot stand here");
      return PoisonValue::get(irType(type));
    }
    const unsigned width = type.width() / parts;
    value = ConstantInt::get(integer(type.width()), 0);
    for (unsigned i = 0; i < parts; ++i) {
      Value *part = source(operand.parts[i], PtxType::ofBits(width));
      value =
          b.CreateOr(value, b.CreateShl(b.CreateZExt(part, value->getType()), i * width));
    }
  } else if (operand.kind == Operand::Kind::Name) {
    value = loadRegister(operand, type.width(), /*mayBeWider=*/false);
  } else {
    value = constantOf(operand, type);
  }
  if (operand.isNegated)
    value = b.CreateNot(value);
  return asType(value, type);
}

Value *Emitter::source(unsigned index, PtxType type) {
  return source(operand(index), type);
}

Value *Emitter::narrow(const Operand &operand, PtxType type) {
  if (operand.kind != Operand::Kind::Name)
    return source(operand, type);
  return asType(loadRegister(operand, type.width(), /*mayBeWider=*/true), type);
}

uint64_t Emitter::constant(unsigned index) {
  if (operand(index).kind == Operand::Kind::Integer)
    return operand(index).integer;
  fail("operand " + Twine(index + 1) + " is not a constant integer");
  return 0;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void Emitter::result(const Operand &operand, Value *value, bool isSigned) {
  if (operand.kind == Operand::Kind::Sink)
    return;
  if (!value->getType()->isIntegerTy())
    value = b.CreateBitCast(value, integer(value->getType()->getPrimitiveSizeInBits()));
  const unsigned width = value->getType()->getIntegerBitWidth();
  if (operand.kind == Operand::Kind::Vector) {
    const unsigned parts = operand.parts.size();
    if (parts == 0 || width % parts != 0)
      return fail("a vector of this length cannot stand here");
    for (unsigned i = 0; i < parts; ++i)
      result(operand.parts[i], b.CreateTrunc(b.CreateLShr(value, i * (width / parts)),
                                             integer(width / parts)));
    return;
  }
  const Symbol *symbol = body.find(operand.name);
  if (!symbol || symbol->kind != Symbol::Kind::Register)
    return fail("'" + operand.name + "' is no register that can be written");
  if (symbol->width < width ||
      (symbol->width != width && (symbol->width == 1 || width == 1)))
    return fail("'" + operand.name + "': found " + bitsOf(symbol->width) + ", expected " +
                bitsOf(width));
  b.CreateStore(b.CreateIntCast(value, integer(symbol->width), isSigned), symbol->value);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

unsigned Emitter::space() const {
  for (StringRef word : instruction.modifiers) {
    if (word == "shared" || word.starts_with("shared::"))
      return Shared;
    if (word == "local") // A module's local variables have generic addresses.
      return body.isOfModule() ? Generic : Local;
    if (word == "const")
      return ConstantSpace;
  }
  // Global addresses are generic ones.
  return Generic;
}

Value *het::ptx::sharedFrom32(IRBuilder<> &b, Module &module, Value *low) {
  GlobalVariable *window = module.getNamedGlobal(sharedWindowName);
  if (!window)
    window = new GlobalVariable(module, ArrayType::get(b.getInt8Ty(), 0), false,
                                GlobalValue::ExternalLinkage, nullptr, sharedWindowName,
                                nullptr, GlobalValue::NotThreadLocal, Shared);
  Value *base = b.CreatePtrToInt(window, b.getInt64Ty());
  Value *distance = b.CreateSub(low, b.CreateTrunc(base, b.getInt32Ty()));
  return b.CreateIntToPtr(b.CreateAdd(base, b.CreateSExt(distance, b.getInt64Ty())),
                          b.getPtrTy(Shared));
}

FunctionCallee het::ptx::clusterFunction(Module &module, StringRef name,
                                         llvm::Type *result,
                                         ArrayRef<llvm::Type *> operands) {
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, operands, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return callee;
}

Value *het::ptx::clusterPointer(IRBuilder<> &b, Module &module, Value *address) {
  FunctionCallee pointer =
      clusterFunction(module, "__het_cluster_pointer", b.getPtrTy(), b.getInt32Ty());
  return b.CreateCall(pointer, b.CreateZExtOrTrunc(address, b.getInt32Ty()));
}

Value *Emitter::address(unsigned index, unsigned space) {
  const Operand &place = operand(index);
  llvm::Type *pointer = b.getPtrTy(space);
  if (!place.parts.empty() || place.name.empty()) {
    fail("an address of this form is not supported");
    return PoisonValue::get(pointer);
  }
  Operand name;
  name.name = place.name;
  const Symbol *symbol = body.find(place.name);
  Value *base;
  if (symbol && symbol->kind == Symbol::Kind::Variable) {
    base = symbol->value;
    const unsigned own = base->getType()->getPointerAddressSpace();
    if (space != Generic && space != own)
      fail("'" + place.name + "' is in another space");
  } else if (symbol && symbol->kind == Symbol::Kind::Value &&
             symbol->value->getType()->isPointerTy() && space == Generic) {
    base = symbol->value;
  } else if (has("shared::cluster") && space == Shared) {
    const unsigned width = symbol && symbol->width == 32 ? 32 : 64;
    base = clusterPointer(b, body.module(), source(name, PtxType::ofBits(width)));
  } else if (symbol && symbol->width == 32 && space == Shared) {
    base = sharedFrom32(b, body.module(), source(name, PtxType::ofBits(32)));
  } else {
    base = b.CreateIntToPtr(source(name, PtxType::ofBits(64)), pointer);
  }
  if (place.integer == 0)
    return base;
  return b.CreatePtrAdd(base, b.getInt64(place.integer));
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value *Emitter::library(const Twine &name, ArrayRef<Value *> arguments,
                        llvm::Type *type) {
  SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = body.module().getOrInsertFunction(
      ("__nv_" + name).str(), FunctionType::get(type, types, false));
  auto *function = dyn_cast<Function>(callee.getCallee());
  if (function && function->isDeclaration()) {
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
  }
  return b.CreateCall(callee, arguments);
}

Value *Emitter::eachLane(PtxType type, ArrayRef<Value *> values,
                         function_ref<Value *(ArrayRef<Value *>)> make) {
  if (type.lanes == 1)
    return make(values);
  Value *all = nullptr;
  for (unsigned lane = 0; lane < type.lanes; ++lane) {
    SmallVector<Value *> own;
    for (Value *value : values)
      own.push_back(b.CreateExtractElement(value, lane));
    Value *made = make(own);
    if (!all)
      all = PoisonValue::get(FixedVectorType::get(made->getType(), type.lanes));
    all = b.CreateInsertElement(all, made, lane);
  }
  return all;
}
