// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   enter: 0 → header(…, count) … latch → count + 1 is enough? → wait: 0 → header
//                                                               → header
//
// The safe point stands in `wait`; a round costs an addition and a comparison.

#include "CountRounds.h"
#include "het/IR/Module.h"
#include "het/Transforms/WaitingLoops.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// Rounds until others get their turn: they take about as long as that costs.
constexpr int64_t roundsBetween = 128;

/// On the branch of a block that is taken after many rounds only.
constexpr llvm::StringLiteral countedAttrName = "hetir.counted";

bool isCounted(Block *latch) { return latch->getTerminator()->hasAttr(countedAttrName); }

class Counter {
public:
  Counter(Block *header, ArrayRef<Block *> latches)
      : header(header), latches(latches),
        builder(header->front().getLoc(), header->getParentOp()->getContext()) {}

  void insert() {
    Block *enter = blockLikeHeader(), *next = blockLikeHeader(), *wait = new Block();
    wait->insertBefore(header);
    for (Block *from : llvm::to_vector(header->getPredecessors()))
      redirect(from, llvm::is_contained(latches, from) ? next : enter);
    Value count = header->addArgument(builder.getI32Type(), builder.getLoc());
    jump(enter, enter->getArguments(), 0);

    builder.setInsertionPointToEnd(next);
    Value sum = LLVM::AddOp::create(builder, count, constant(1));
    Value isEnough = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, sum,
                                          constant(roundsBetween));
    SmallVector<Value> values(next->getArguments());
    values.push_back(sum);
    LLVM::CondBrOp::create(builder, isEnough, wait, ValueRange{}, header, values,
                           std::pair<int32_t, int32_t>(1, roundsBetween));
    jump(wait, next->getArguments(), 0)->setAttr(countedAttrName, builder.getUnitAttr());
  }

private:
  /// A block in front of the header, with its arguments.
  Block *blockLikeHeader() {
    Block *block = new Block();
    block->insertBefore(header);
    for (BlockArgument argument : header->getArguments())
      block->addArgument(argument.getType(), argument.getLoc());
    return block;
  }

  void redirect(Block *from, Block *to) {
    for (auto [index, successor] : llvm::enumerate(from->getSuccessors()))
      if (successor == header)
        from->getTerminator()->setSuccessor(to, index);
  }

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, builder.getI32Type(), value);
  }

  /// Ends a block with a branch to the header.
  Operation *jump(Block *from, ValueRange arguments, int64_t count) {
    builder.setInsertionPointToEnd(from);
    SmallVector<Value> values(arguments);
    values.push_back(constant(count));
    return LLVM::BrOp::create(builder, values, header);
  }

  Block *header;
  ArrayRef<Block *> latches;
  ImplicitLocOpBuilder builder;
};

} // namespace

void countRounds(LLVM::LLVMFuncOp kernel) {
  if (kernel.getBody().hasOneBlock())
    return;
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&kernel.getBody()));
  SmallVector<std::pair<Block *, SmallVector<Block *>>> found;
  for (CFGLoop *loop : loops.getLoopsInPreorder()) {
    SmallVector<Block *> latches;
    loop->getLoopLatches(latches);
    if (llvm::none_of(latches, isCounted) &&
        findWait(loop, dominance) == LoopWait::Sometimes)
      found.push_back({loop->getHeader(), std::move(latches)});
  }
  for (auto &[header, latches] : found)
    Counter(header, latches).insert();
}

SmallVector<Operation *> findCountedPlaces(LLVM::LLVMFuncOp kernel) {
  SmallVector<Operation *> places;
  for (Block &block : kernel.getBody())
    if (isCounted(&block))
      places.push_back(block.getTerminator());
  return places;
}

} // namespace het::transforms
