// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops wait: a backward slice of each exit's condition, inside of the loop,
// over data and over the branches that choose between a block argument's values.

#include "het/Transforms/WaitingLoops.h"
#include "IncomingValue.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// Whether the result depends on what other threads do, again and again: not so if
/// each execution changes it (a ticket, a work queue).
bool isRepeatableRead(LLVM::AtomicRMWOp op) {
  switch (op.getBinOp()) {
  case LLVM::AtomicBinOp::add:
  case LLVM::AtomicBinOp::sub:
  case LLVM::AtomicBinOp::fadd:
  case LLVM::AtomicBinOp::fsub:
    return matchPattern(op.getVal(), m_Zero()) ||
           matchPattern(op.getVal(), m_AnyZeroFloat());
  case LLVM::AtomicBinOp::uinc_wrap:
  case LLVM::AtomicBinOp::udec_wrap:
  case LLVM::AtomicBinOp::usub_cond:
  case LLVM::AtomicBinOp::usub_sat:
    return false;
  default:
    return true;
  }
}

class Slice {
public:
  Slice(CFGLoop *loop, DominanceInfo &dominance) : loop(loop), dominance(dominance) {
    for (Block *block : loop->getBlocks())
      for (Operation &op : *block)
        fenced |= isa<LLVM::FenceOp, ir::FenceOp, ir::SleepOp>(op);
  }

  bool findsWait() {
    SmallVector<Block *> exiting;
    loop->getExitingBlocks(exiting);
    for (Block *block : exiting)
      addCondition(block);
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value))
        visit(argument);
      else if (visit(value.getDefiningOp()))
        return true;
    }
    return false;
  }

private:
  void add(Value value) {
    if (value && loop->contains(value.getParentBlock()) && seen.insert(value).second)
      work.push_back(value);
  }

  void addCondition(Block *block) {
    Operation *end = block->getTerminator();
    if (auto branch = dyn_cast<LLVM::CondBrOp>(end))
      add(branch.getCondition());
    else if (auto choice = dyn_cast<LLVM::SwitchOp>(end))
      add(choice.getValue());
  }

  /// Whether each round computes the same value.
  bool isInvariant(Value value) const {
    llvm::SetVector<Value> needed;
    needed.insert(value);
    for (size_t i = 0; i < needed.size(); ++i) {
      Value next = needed[i];
      if (!loop->contains(next.getParentBlock()))
        continue;
      Operation *op = next.getDefiningOp();
      if (!op || !isPure(op))
        return false;
      needed.insert(op->operand_begin(), op->operand_end());
    }
    return true;
  }

  /// Whether the operation is a read that others' writes can change. A search that
  /// tries another place in each round (a hash table's) waits for nobody.
  bool isWait(Operation *op) const {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return load.getVolatile_() || fenced ||
             load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
    if (auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op))
      return isRepeatableRead(rmw) && isInvariant(rmw.getPtr());
    if (auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      return isInvariant(swap.getCmp()) && isInvariant(swap.getPtr());
    return false;
  }

  bool visit(Operation *op) {
    if (isWait(op))
      return true;
    llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
    return false;
  }

  void visit(BlockArgument argument) {
    Block *block = argument.getOwner();
    llvm::SmallPtrSet<Value, 4> values;
    for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
      Value value = incomingValue(argument, it);
      if (!value || !loop->contains(*it))
        continue;
      add(value);
      values.insert(value);
    }
    if (values.size() > 1)
      addChoices(block);
  }

  /// The branches inside the loop that lead to one predecessor of `block` or another.
  void addChoices(Block *block) {
    Block *header = loop->getHeader();
    llvm::SetVector<Block *> blocks;
    auto addPredecessors = [&](Block *of) {
      for (Block *from : of->getPredecessors())
        if (loop->contains(from))
          blocks.insert(from);
    };
    addPredecessors(block);
    for (size_t i = 0; i < blocks.size(); ++i) {
      addCondition(blocks[i]);
      bool isTop = blocks[i] == header ||
                   (block != header && dominance.properlyDominates(blocks[i], block));
      if (!isTop)
        addPredecessors(blocks[i]);
    }
  }

  CFGLoop *loop;
  DominanceInfo &dominance;
  bool fenced = false; ///< plain loads are made anew in each round
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work;
};

} // namespace

bool waitsForOthers(CFGLoop *loop, DominanceInfo &dominance) {
  return Slice(loop, dominance).findsWait();
}

} // namespace het::transforms
