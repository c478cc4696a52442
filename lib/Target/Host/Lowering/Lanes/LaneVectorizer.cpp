// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over lanes itself: in steps of several lanes, of which the last step has
// fewer.

#include "LaneVectorizer.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace het::host {

LaneVectorizer::LaneVectorizer(LanePlan &plan) : LaneInstructions(plan) {
  LoopBlocksRPO inOrder(&lanes);
  inOrder.perform(&loops);
  order.assign(inOrder.begin(), inOrder.end());
}

/// What the loop's own phis are for the lanes from `firstLane` on.
void LaneVectorizer::emitFirstPhis(Value *lane) {
  ScalarEvolution &evolution = plan.analyses.evolution;
  for (PHINode &phi : lanes.getHeader()->phis()) {
    auto *round = cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    auto *step = cast<SCEVConstant>(round->getStepRecurrence(evolution))->getValue();
    Type *type = step->getType();
    Value *start = phi.getIncomingValueForBlock(scalarStart);
    Value *distance = builder.CreateMul(builder.CreateZExtOrTrunc(lane, type), step);
    SmallVector<Constant *> distances;
    for (unsigned i = 0; i < width; ++i)
      distances.push_back(ConstantInt::get(
          type, APInt(64, i).zextOrTrunc(type->getIntegerBitWidth()) * step->getValue()));
    Constant *own = ConstantVector::get(distances);
    if (phi.getType()->isPointerTy())
      vectors[&phi] = builder.CreatePtrAdd(builder.CreatePtrAdd(start, distance), own);
    else
      vectors[&phi] = builder.CreateAdd(
          builder.CreateVectorSplat(width, builder.CreateAdd(start, distance)), own);
  }
}

/// How many lanes there are, an i64, computed before the loop.
Value *LaneVectorizer::countLanes(Instruction *before) {
  ScalarEvolution &evolution = plan.analyses.evolution;
  SCEVExpander expander(evolution, "lanes", /*PreserveLCSSA=*/false);
  Type *type = builder.getInt64Ty();
  const SCEV *rest =
      evolution.getNoopOrZeroExtend(evolution.getBackedgeTakenCount(&lanes), type);
  return expander.expandCodeFor(evolution.getAddExpr(rest, evolution.getOne(type)), type,
                                before);
}

/// Gives each lane an object of its own.
void LaneVectorizer::copyObjects() {
  const DataLayout &layout = function.getDataLayout();
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  for (AllocaInst *object : plan.privateObjects) {
    const uint64_t bytes =
        alignTo(object->getAllocationSize(layout)->getFixedValue(), object->getAlign());
    AllocaInst *all =
        entry.CreateAlloca(entry.getInt8Ty(), entry.getInt32(bytes * width));
    all->setAlignment(object->getAlign());
    SmallVector<Constant *> distances;
    for (unsigned i = 0; i < width; ++i)
      distances.push_back(entry.getInt64(i * bytes));
    vectors[object] = entry.CreatePtrAdd(all, ConstantVector::get(distances));
  }
}

/// Leads to the vectors at `start`; few lanes keep the loop that there was.
void LaneVectorizer::branchTo(BasicBlock *start, Value *count) {
  BasicBlock *before = lanes.getLoopPreheader(), *header = lanes.getHeader();
  scalarStart = BasicBlock::Create(function.getContext(), "lanes.few", &function, header);
  header->replacePhiUsesWith(before, scalarStart);
  BranchInst::Create(header, scalarStart);
  Instruction *old = before->getTerminator();
  builder.SetInsertPoint(old);
  Value *isMany = builder.CreateICmpUGE(count, builder.getInt64(width / 4));
  builder.CreateCondBr(isMany, start, scalarStart);
  old->eraseFromParent();
}

/// The mask of a step: the lanes that there are from `lane` on.
Value *LaneVectorizer::emitFirstMask(Value *lane, Value *count) {
  Value *left = builder.CreateBinaryIntrinsic(
      Intrinsic::umin, builder.CreateSub(count, lane), builder.getInt64(width));
  SmallVector<Constant *> numbers;
  for (unsigned i = 0; i < width; ++i)
    numbers.push_back(builder.getInt32(i));
  Value *size = builder.CreateTrunc(left, builder.getInt32Ty());
  return builder.CreateICmpULT(ConstantVector::get(numbers),
                               builder.CreateVectorSplat(width, size));
}

void LaneVectorizer::run() {
  BasicBlock *exit = lanes.getUniqueExitBlock();
  Instruction *before = lanes.getLoopPreheader()->getTerminator();
  Value *count = countLanes(before);
  for (BasicBlock *block : lanes.blocks())
    for (Instruction &access : *block)
      if (isa<LoadInst, StoreInst>(access) &&
          findAccess(plan, access) == LaneAccess::Contiguous)
        plan.addresses->expandInvariants(getLoadStorePointerOperand(&access), before);
  copyObjects();
  BasicBlock *start = newBlock("start"), *step = newBlock("step"), *end = newBlock("end");
  branchTo(start, count);
  builder.SetInsertPoint(start);
  builder.CreateBr(step);
  builder.SetInsertPoint(step);
  PHINode *lane = builder.CreatePHI(builder.getInt64Ty(), 2);
  lane->addIncoming(builder.getInt64(0), start);
  firstLane = lane;
  Value *all = emitFirstMask(lane, count);
  masks[lanes.getHeader()] = all;
  known.insert(all);
  emitFirstPhis(lane);
  emitNodes(order, &lanes);
  Value *next = builder.CreateAdd(lane, builder.getInt64(width));
  lane->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, count), step, end);
  builder.SetInsertPoint(end);
  builder.CreateBr(exit);
  for (PHINode &phi : exit->phis())
    phi.addIncoming(phi.getIncomingValueForBlock(lanes.getLoopLatch()), end);
}

void vectorizeLanes(LanePlan &plan) { LaneVectorizer(plan).run(); }

} // namespace het::host
