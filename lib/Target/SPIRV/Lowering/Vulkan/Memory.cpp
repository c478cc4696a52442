// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and atomics: of global memory at addresses, of shared and local memory by
// words of an array. What threads exchange is never private to one (the Vulkan memory
// model's NonPrivatePointer).

#include "Translator.h"

namespace het::spirv {

Id AccessTranslator::sharedVariable() {
  if (!shared) {
    const Id words = builder.specialised(specialisedShared, 1);
    shared = builder.variable(spv::StorageClassWorkgroup,
                              builder.array(builder.integer(32), words));
  }
  return shared;
}

Id AccessTranslator::localVariable() {
  if (!local)
    local = builder.variable(
        spv::StorageClassPrivate,
        builder.array(builder.integer(32), u32(std::max<uint32_t>(localWords, 1))));
  return local;
}

Id AccessTranslator::sharedWord(Id index) {
  return builder.append(spv::OpAccessChain,
                        builder.pointer(spv::StorageClassWorkgroup, builder.integer(32)),
                        {sharedVariable(), index});
}

Id AccessTranslator::localWord(Id index) {
  return builder.append(spv::OpAccessChain,
                        builder.pointer(spv::StorageClassPrivate, builder.integer(32)),
                        {localVariable(), index});
}

Id AccessTranslator::placeOf(llvm::Value *pointer, llvm::Type *type) {
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const unsigned bits = type->getScalarSizeInBits();
  if (space == ir::sharedSpace && type->isIntegerTy(32)) {
    const Id offset = builder.append(spv::OpUConvert, builder.integer(32), idOf(pointer));
    return sharedWord(
        builder.append(spv::OpShiftRightLogical, builder.integer(32), {offset, u32(2)}));
  }
  if (space != ir::globalSpace)
    return fail("an access of " + llvm::Twine(bits) +
                " bits in memory where Vulkan has words of 32 bits");
  if (bits == 8)
    builder.require(spv::CapabilityStorageBuffer8BitAccess);
  if (bits == 16)
    builder.require(spv::CapabilityStorageBuffer16BitAccess);
  return builder.append(
      spv::OpConvertUToPtr,
      builder.pointer(spv::StorageClassPhysicalStorageBuffer, typeOf(type)),
      idOf(pointer));
}

/// Vulkan has no scope beyond the device.
Id AccessTranslator::scopeOf(const llvm::Instruction &instruction) {
  const llvm::StringRef name =
      instruction.getContext()
          .getSyncScopeName(*llvm::getAtomicSyncScopeID(&instruction))
          .value_or("");
  const spv::Scope scope = name == "singlethread" ? spv::ScopeInvocation
                           : name == "subgroup"   ? spv::ScopeSubgroup
                           : name == "workgroup"  ? spv::ScopeWorkgroup
                                                  : spv::ScopeDevice;
  return u32(scope);
}

static uint32_t accessOf(bool isVolatile) {
  return spv::MemoryAccessAlignedMask | spv::MemoryAccessNonPrivatePointerMask |
         (isVolatile ? spv::MemoryAccessVolatileMask : spv::MemoryAccessMaskNone);
}

void AccessTranslator::translateLoad(llvm::LoadInst &load) {
  const Id place = placeOf(load.getPointerOperand(), load.getType());
  if (load.isAtomic()) {
    if (load.getType()->isIntegerTy(64))
      builder.require(spv::CapabilityInt64Atomics);
    make(load, spv::OpAtomicLoad, {place, scopeOf(load), u32(0)});
  } else {
    make(load, spv::OpLoad,
         {place, accessOf(load.isVolatile()),
          static_cast<uint32_t>(load.getAlign().value())});
  }
}

void AccessTranslator::translateStore(llvm::StoreInst &store) {
  llvm::Value *value = store.getValueOperand();
  const Id place = placeOf(store.getPointerOperand(), value->getType());
  if (store.isAtomic()) {
    if (value->getType()->isIntegerTy(64))
      builder.require(spv::CapabilityInt64Atomics);
    builder.append(spv::OpAtomicStore, {place, scopeOf(store), u32(0), idOf(value)});
  } else {
    builder.append(spv::OpStore, {place, idOf(value), accessOf(store.isVolatile()),
                                  static_cast<uint32_t>(store.getAlign().value())});
  }
}

static spv::Op opOf(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
  case llvm::AtomicRMWInst::Xchg:
    return spv::OpAtomicExchange;
  case llvm::AtomicRMWInst::Add:
    return spv::OpAtomicIAdd;
  case llvm::AtomicRMWInst::Sub:
    return spv::OpAtomicISub;
  case llvm::AtomicRMWInst::And:
    return spv::OpAtomicAnd;
  case llvm::AtomicRMWInst::Or:
    return spv::OpAtomicOr;
  case llvm::AtomicRMWInst::Xor:
    return spv::OpAtomicXor;
  case llvm::AtomicRMWInst::Max:
    return spv::OpAtomicSMax;
  case llvm::AtomicRMWInst::Min:
    return spv::OpAtomicSMin;
  case llvm::AtomicRMWInst::UMax:
    return spv::OpAtomicUMax;
  case llvm::AtomicRMWInst::UMin:
    return spv::OpAtomicUMin;
  default:
    return spv::OpNop;
  }
}

void AccessTranslator::translateUpdate(llvm::AtomicRMWInst &update) {
  const spv::Op op = opOf(update.getOperation());
  if (op == spv::OpNop) {
    failAt(update);
    return;
  }
  if (update.getType()->isIntegerTy(64))
    builder.require(spv::CapabilityInt64Atomics);
  const Id place = placeOf(update.getPointerOperand(), update.getType());
  make(update, op, {place, scopeOf(update), u32(0), idOf(update.getValOperand())});
}

void AccessTranslator::translateExchange(llvm::AtomicCmpXchgInst &exchange) {
  llvm::Value *expected = exchange.getCompareOperand();
  if (expected->getType()->isIntegerTy(64))
    builder.require(spv::CapabilityInt64Atomics);
  const Id place = placeOf(exchange.getPointerOperand(), expected->getType());
  const Id found =
      builder.append(spv::OpAtomicCompareExchange, typeOf(expected->getType()),
                     {place, scopeOf(exchange), u32(0), u32(0),
                      idOf(exchange.getNewValOperand()), idOf(expected)});
  const Id success =
      builder.append(spv::OpIEqual, builder.truth(), {found, idOf(expected)});
  make(exchange, spv::OpCompositeConstruct, {found, success});
}

Id AccessTranslator::readInput(spv::BuiltIn input, unsigned components) {
  const Id word = builder.integer(32);
  const Id type = components > 1 ? builder.vector(word, components) : word;
  Id &variable = inputs[input];
  if (!variable) {
    variable = builder.variable(spv::StorageClassInput, type);
    builder.decorate(variable, spv::DecorationBuiltIn, static_cast<uint32_t>(input));
  }
  return builder.append(spv::OpLoad, type, variable);
}

/// One of three dimensions.
Id AccessTranslator::readPosition(spv::BuiltIn input, llvm::Value *dimension) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(dimension);
  if (!known || known->getZExtValue() > 2)
    return fail("a position in a dimension that is not constant");
  const auto axis = static_cast<uint32_t>(known->getZExtValue());
  const Id word = builder.append(spv::OpCompositeExtract, builder.integer(32),
                                 {readInput(input, 3), axis});
  if (input != spv::BuiltInWorkgroupId)
    return word;
  // A grid of more groups than the device takes at once is dispatched in parts.
  const auto member =
      static_cast<PushedWord>(static_cast<uint32_t>(PushedWord::GroupX) + axis);
  return builder.append(spv::OpIAdd, builder.integer(32), {word, readPushed(member, 32)});
}

Id AccessTranslator::readPushed(PushedWord word, unsigned bits) {
  if (!pushed) {
    const Id wide = builder.integer(64), narrow = builder.integer(32);
    const Id block = builder.newStructure({wide, wide, narrow, narrow, narrow, narrow});
    builder.decorate(block, spv::DecorationBlock);
    for (uint32_t member = 0, offset = 0; member < 6; ++member) {
      builder.decorateMember(block, member, spv::DecorationOffset, offset);
      offset += member < 2 ? 8 : 4;
    }
    pushed = builder.variable(spv::StorageClassPushConstant, block);
  }
  const Id place = builder.append(
      spv::OpAccessChain,
      builder.pointer(spv::StorageClassPushConstant, builder.integer(bits)),
      {pushed, u32(static_cast<uint32_t>(word))});
  return builder.append(spv::OpLoad, builder.integer(bits), place);
}

} // namespace het::spirv
