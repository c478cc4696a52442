// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through two functions in step. Loops and the accesses that may run in parallel in
// them have nodes of metadata of their own, which must correspond one to one.

#include "SegmentShape.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace het::host {

/// A local object whose parts are taken apart must be known to the byte.
static bool isOffset(const Use &use) {
  const auto *address = dyn_cast<GetElementPtrInst>(use.getUser());
  return address && address->getSourceElementType()->isIntegerTy(8) &&
         use.getOperandNo() == 1 && use->getType()->isIntegerTy(64) &&
         !isa<AllocaInst>(getUnderlyingObject(address));
}

bool mayDiffer(const Use &use) {
  const auto *user = cast<Instruction>(use.getUser());
  if (!isa<ConstantInt>(use.get()))
    return false;
  if (isa<StoreInst>(user))
    return use.getOperandNo() == 0;
  const bool isFactor = user->getOpcode() == Instruction::Mul &&
                        user->getType()->isIntegerTy(64) && use.getOperandNo() == 1;
  return isFactor || isOffset(use);
}

bool SegmentShape::areAlike() {
  if (first.getFunctionType() != second.getFunctionType() ||
      first.getAttributes() != second.getAttributes() ||
      first.getCallingConv() != second.getCallingConv() || !haveLikeBlocks())
    return false;
  for (const auto &[block, other] : zip_equal(first, second))
    for (const auto &[one, its] : zip_equal(block, other))
      if (!areAlike(one, its))
        return false;
  return true;
}

/// Pairs all values before operands are looked at: some are defined behind their uses.
bool SegmentShape::haveLikeBlocks() {
  if (first.size() != second.size())
    return false;
  for (const auto &[one, other] : zip_equal(first.args(), second.args()))
    values[&other] = &one;
  for (const auto &[block, other] : zip_equal(first, second)) {
    if (block.size() != other.size())
      return false;
    values[&other] = &block;
    for (const auto &[one, its] : zip_equal(block, other))
      values[&its] = &one;
  }
  return true;
}

bool SegmentShape::areAlike(const Instruction &one, const Instruction &other) {
  if (!one.isSameOperationAs(&other) ||
      one.getRawSubclassOptionalData() != other.getRawSubclassOptionalData())
    return false;
  for (const auto &[use, its] : zip_equal(one.operands(), other.operands()))
    if (!areAlike(use, its))
      return false;
  if (const auto *phi = dyn_cast<PHINode>(&one))
    for (const auto &[from, its] :
         zip_equal(phi->blocks(), cast<PHINode>(other).blocks()))
      if (values.lookup(its) != from)
        return false;
  return haveLikeMetadata(one, other);
}

bool SegmentShape::areAlike(const Use &one, const Use &other) {
  if (auto found = values.find(other.get()); found != values.end())
    return found->second == one.get();
  return one.get() == other.get() || (mayDiffer(one) && mayDiffer(other) &&
                                      one.get()->getType() == other.get()->getType());
}

bool SegmentShape::haveLikeMetadata(const Instruction &one, const Instruction &other) {
  SmallVector<std::pair<unsigned, MDNode *>> ofOne, ofOther;
  one.getAllMetadata(ofOne);
  other.getAllMetadata(ofOther);
  auto correspond = [&](const auto &a, const auto &b) {
    const bool isOfLoop =
        a.first == LLVMContext::MD_loop || a.first == LLVMContext::MD_access_group;
    return a.first == b.first &&
           (isOfLoop ? isImage(a.second, b.second) : a.second == b.second);
  };
  return std::equal(ofOne.begin(), ofOne.end(), ofOther.begin(), ofOther.end(),
                    correspond);
}

bool SegmentShape::isImage(const Metadata *one, const Metadata *other) {
  const auto *node = dyn_cast_or_null<MDNode>(one);
  const auto *its = dyn_cast_or_null<MDNode>(other);
  if (!node || !its)
    return one == other;
  const auto [image, isNew] = nodes.try_emplace(its, node);
  const auto [origin, isFirst] = origins.try_emplace(node, its);
  if (!isNew || !isFirst)
    return image->second == node && origin->second == its;
  auto correspond = [&](const MDOperand &a, const MDOperand &b) {
    return isImage(a.get(), b.get());
  };
  return node->isDistinct() == its->isDistinct() &&
         std::equal(node->op_begin(), node->op_end(), its->op_begin(), its->op_end(),
                    correspond);
}

} // namespace het::host
