// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of several lanes. No lane outside of the mask reaches memory.

#include "LaneInstructions.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace het::host {

/// A place for a load that no lane does.
Value *LaneInstructions::placeForNobody() {
  if (!nobody) {
    IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *place =
        entry.CreateAlloca(entry.getInt8Ty(), entry.getInt32(64), "nobody");
    place->setAlignment(Align(64));
    nobody = place;
  }
  return nobody;
}

void LaneInstructions::emitUniformLoad(LoadInst &load) {
  auto *copy = cast<LoadInst>(load.clone());
  Value *pointer = scalarOf(load.getPointerOperand());
  copy->setMetadata(LLVMContext::MD_access_group, nullptr);
  copy->setMetadata(LLVMContext::MD_noalias, nullptr);
  copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  if (!isSomeLane(mask)) {
    copy->dropPoisonGeneratingAnnotations();
    copy->dropUBImplyingAttrsAndMetadata();
    copy->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    copy->setMetadata(LLVMContext::MD_tbaa, nullptr);
    pointer = builder.CreateSelect(any(mask), pointer, placeForNobody());
  }
  copy->setOperand(LoadInst::getPointerOperandIndex(), pointer);
  builder.Insert(copy);
  scalars[&load] = copy;
}

/// At addresses that follow one another. Null for a store.
Value *LaneInstructions::emitContiguous(Instruction &access, Value *address) {
  const Align align = getLoadStoreAlignment(&access);
  if (auto *store = dyn_cast<StoreInst>(&access)) {
    builder.CreateMaskedStore(vectorOf(store->getValueOperand()), address, align, mask);
    return nullptr;
  }
  return builder.CreateMaskedLoad(vectorType(access.getType()), address, align, mask,
                                  zero(vectorType(access.getType())));
}

/// Elements of 8 or 16 bits, which the machine does not gather: the words of 32 bits that
/// they lie in.
Value *LaneInstructions::emitNarrowGather(LoadInst &load, Value *pointers) {
  const unsigned bits = load.getType()->getPrimitiveSizeInBits();
  Type *words = vectorType(builder.getInt32Ty());
  Type *addresses = vectorType(builder.getInt64Ty());
  Value *address = builder.CreatePtrToInt(pointers, addresses);
  Value *start = builder.CreateIntToPtr(
      builder.CreateAnd(address, ConstantInt::getSigned(addresses, -4)),
      pointers->getType());
  Value *gathered = builder.CreateMaskedGather(words, start, Align(4), mask, zero(words));
  Value *offset =
      builder.CreateAnd(builder.CreateTrunc(address, words), ConstantInt::get(words, 3));
  Value *shifted =
      builder.CreateLShr(gathered, builder.CreateShl(offset, ConstantInt::get(words, 3)));
  Value *narrow = builder.CreateTrunc(shifted, vectorType(builder.getIntNTy(bits)));
  return builder.CreateBitCast(narrow, vectorType(load.getType()));
}

/// Whether the bytes beside an element may be read along with it: not in objects that
/// LLVM knows, whose ends it knows too.
static bool mayReadWord(const LoadInst &load) {
  const unsigned bits = load.getType()->getPrimitiveSizeInBits();
  const Value *object = getUnderlyingObject(load.getPointerOperand(), /*MaxLookup=*/0);
  return (bits == 8 || bits == 16) && load.getAlign() >= bits / 8 &&
         !isa<AllocaInst, GlobalValue, PHINode, SelectInst>(object);
}

Value *LaneInstructions::emitScattered(Instruction &access) {
  Value *pointers = vectorOf(getLoadStorePointerOperand(&access));
  const Align align = getLoadStoreAlignment(&access);
  if (auto *store = dyn_cast<StoreInst>(&access)) {
    builder.CreateMaskedScatter(vectorOf(store->getValueOperand()), pointers, align,
                                mask);
    return nullptr;
  }
  auto &load = cast<LoadInst>(access);
  if (mayReadWord(load))
    return emitNarrowGather(load, pointers);
  Type *type = vectorType(load.getType());
  return builder.CreateMaskedGather(type, pointers, align, mask, zero(type));
}

void LaneInstructions::emitAccess(Instruction &access) {
  const LaneAccess kind = findAccess(plan, access);
  auto *load = dyn_cast<LoadInst>(&access);
  if (load && kind == LaneAccess::Uniform)
    return emitUniformLoad(*load);
  Value *address = nullptr, *holds = nullptr;
  if (kind == LaneAccess::Contiguous) {
    auto uniformValue = [&](Value *value) { return scalarOf(value); };
    auto round = [&](const Loop *loop) { return rounds.lookup(loop); };
    const AddressParts parts{firstLane, uniformValue, round};
    address = plan.addresses->build(access, builder, parts, holds);
  }
  Value *result = nullptr;
  if (!address) {
    result = emitScattered(access);
  } else if (!holds) {
    result = emitContiguous(access, address);
  } else {
    BasicBlock *near = newBlock("near"), *apart = newBlock("apart"),
               *joined = newBlock("joined");
    builder.CreateCondBr(holds, near, apart);
    builder.SetInsertPoint(near);
    Value *one = emitContiguous(access, address);
    builder.CreateBr(joined);
    builder.SetInsertPoint(apart);
    Value *other = emitScattered(access);
    BasicBlock *end = builder.GetInsertBlock();
    builder.CreateBr(joined);
    builder.SetInsertPoint(joined);
    if (load) {
      PHINode *phi = builder.CreatePHI(one->getType(), 2);
      phi->addIncoming(one, near);
      phi->addIncoming(other, end);
      result = phi;
    }
  }
  if (load)
    vectors[&access] = result;
}

} // namespace het::host
