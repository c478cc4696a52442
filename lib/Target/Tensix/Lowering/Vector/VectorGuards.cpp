// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards: `if (i >= n) return;` The core looks at the first and the last thread of those
// that run. Where they agree, and what is compared grows evenly, all do. Otherwise those
// at the front that agree are counted: if they end, the row begins behind them, and the
// kernel is entered again; else the others are left for later. So before a guard nothing
// may have been written.

#include "VectorKernel.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace het::tensix {
namespace {

/// A block that does nothing but end the thread.
bool isEnd(const BasicBlock *block) {
  return isa<ReturnInst>(block->getTerminator()) &&
         all_of(*block,
                [](const Instruction &inst) { return isa<PHINode, ReturnInst>(inst); });
}

class GuardLowering {
public:
  GuardLowering(Function &function, const RowBounds &bounds)
      : function(function), bounds(bounds), divergence(function),
        values(divergence, bounds) {}
  Reason run();

private:
  Reason check(BranchInst *branch);
  void lower(BranchInst *branch);
  Value *isSteady(IRBuilder<> &builder, Value *condition, Value *last) const;
  BasicBlock *countThreads(Value *condition, Value *wanted, Value *count,
                           BasicBlock *next, bool entersOnTrue);

  Function &function;
  const RowBounds &bounds;
  Divergence divergence;
  ThreadValue values;
};

Reason GuardLowering::check(BranchInst *branch) {
  if (!isEnd(branch->getSuccessor(0)) && !isEnd(branch->getSuccessor(1)))
    return std::string("a branch differs between threads, with more than arithmetic on "
                       "its sides");
  if (!values.isComputable(branch->getCondition()))
    return std::string("threads end by a condition that depends on data");
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  if (loops.getLoopFor(branch->getParent()))
    return std::string("a loop's end differs between threads");
  for (Instruction &inst : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&inst);
        store && store->getPointerOperand() != bounds.count &&
        isPotentiallyReachable(&inst, branch, nullptr, &dominators, &loops))
      return std::string("threads end after they have written");
  return std::nullopt;
}

/// Whether the condition can change but once from the first thread to the last one, an
/// i1. It is taken where both ends agree: a conjunction that is true at both ends, or a
/// disjunction that is false, is so between them.
Value *GuardLowering::isSteady(IRBuilder<> &builder, Value *condition,
                               Value *last) const {
  if (!divergence(condition))
    return builder.getTrue();
  Value *left, *right;
  const bool isAnd = match(condition, m_LogicalAnd(m_Value(left), m_Value(right)));
  if (isAnd || match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    Value *parts =
        builder.CreateAnd(isSteady(builder, left, last), isSteady(builder, right, last));
    Value *atFirst = values.compute(builder, condition, builder.getInt32(0));
    return builder.CreateAnd(parts,
                             builder.CreateICmpEQ(atFirst, builder.getInt1(isAnd)));
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare)
    return builder.getFalse();
  constexpr int64_t most = 1 << 20;
  Value *result = builder.getTrue();
  if (compare->isEquality() ||
      (divergence(compare->getOperand(0)) && divergence(compare->getOperand(1))))
    return builder.getFalse();
  for (Value *operand : compare->operands()) {
    if (!divergence(operand))
      continue;
    std::optional<int64_t> stride = values.strideOf(operand);
    if (!stride || *stride > most || *stride < -most ||
        !operand->getType()->isIntegerTy() ||
        operand->getType()->getIntegerBitWidth() < 32)
      return builder.getFalse();
    Value *begin = values.compute(builder, operand, builder.getInt32(0));
    Value *end = values.compute(builder, operand, last);
    if (*stride < 0)
      std::swap(begin, end);
    result = builder.CreateAnd(result, values.isEven(builder, operand, last));
    result = builder.CreateAnd(
        result,
        builder.CreateICmp(compare->isSigned() ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                           begin, end));
  }
  return result;
}

/// Where threads do not agree: those at the front whose condition is `wanted`.
BasicBlock *GuardLowering::countThreads(Value *condition, Value *wanted, Value *count,
                                        BasicBlock *next, bool entersOnTrue) {
  LLVMContext &context = function.getContext();
  auto *entry = BasicBlock::Create(context, "guard.count", &function);
  auto *loop = BasicBlock::Create(context, "guard.thread", &function);
  auto *test = BasicBlock::Create(context, "guard.test", &function);
  auto *done = BasicBlock::Create(context, "guard.done", &function);
  auto *ended = BasicBlock::Create(context, "guard.ended", &function);
  auto *shorter = BasicBlock::Create(context, "guard.shorter", &function);
  IRBuilder<> builder(entry);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  PHINode *number = builder.CreatePHI(builder.getInt32Ty(), 2);
  number->addIncoming(builder.getInt32(1), entry);
  builder.CreateCondBr(builder.CreateICmpULT(number, count), test, done);
  builder.SetInsertPoint(test);
  Value *value = values.compute(builder, condition, number);
  number->addIncoming(builder.CreateAdd(number, builder.getInt32(1)), test);
  builder.CreateCondBr(builder.CreateICmpEQ(value, wanted), loop, done);
  builder.SetInsertPoint(done);
  builder.CreateCondBr(wanted, entersOnTrue ? shorter : ended,
                       entersOnTrue ? ended : shorter);
  builder.SetInsertPoint(ended);
  builder.CreateRet(number);
  builder.SetInsertPoint(shorter);
  builder.CreateStore(number, bounds.count);
  builder.CreateBr(next);
  return entry;
}

void GuardLowering::lower(BranchInst *branch) {
  BasicBlock *block = branch->getParent();
  const bool entersOnTrue = !isEnd(branch->getSuccessor(0));
  BasicBlock *end = branch->getSuccessor(entersOnTrue ? 1 : 0);
  BasicBlock *body = branch->getSuccessor(entersOnTrue ? 0 : 1);
  Value *condition = branch->getCondition();
  // All ways into the body go through a block of its own.
  auto *next = BasicBlock::Create(function.getContext(), "guard.next", &function, body);
  BranchInst::Create(body, next);
  body->replacePhiUsesWith(block, next);
  IRBuilder<> builder(branch);
  Value *count = builder.CreateLoad(builder.getInt32Ty(), bounds.count);
  Value *last = builder.CreateSub(count, builder.getInt32(1));
  Value *atFirst = values.compute(builder, condition, builder.getInt32(0));
  Value *atLast = values.compute(builder, condition, last);
  Value *agree = builder.CreateAnd(isSteady(builder, condition, last),
                                   builder.CreateICmpEQ(atFirst, atLast));
  BasicBlock *differ = countThreads(condition, atFirst, count, next, entersOnTrue);
  auto *same = BasicBlock::Create(function.getContext(), "guard.same", &function, next);
  builder.CreateCondBr(agree, same, differ);
  builder.SetInsertPoint(same);
  builder.CreateCondBr(atFirst, entersOnTrue ? next : end, entersOnTrue ? end : next);
  end->replacePhiUsesWith(block, same);
  branch->eraseFromParent();
}

Reason GuardLowering::run() {
  SmallVector<BranchInst *> branches;
  for (BasicBlock &block : function) {
    Instruction *end = block.getTerminator();
    auto *branch = dyn_cast<BranchInst>(end);
    if (isa<SwitchInst>(end) && divergence(cast<SwitchInst>(end)->getCondition()))
      return std::string("a switch differs between threads");
    if (branch && branch->isConditional() && divergence(branch->getCondition()))
      branches.push_back(branch);
  }
  for (BranchInst *branch : branches)
    if (Reason reason = check(branch))
      return reason;
  for (BranchInst *branch : branches)
    lower(branch);
  return std::nullopt;
}

} // namespace

Reason lowerGuards(Function &function, const RowBounds &bounds) {
  return GuardLowering(function, bounds).run();
}

} // namespace het::tensix
