// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uniformity analysis: a fixed point over values (data dependence), joins
// behind divergent branches (control dependence) and values that leave a loop whose
// exit is divergent (temporal divergence). Post-dominators are those of the graph
// without the edges by which threads only end.

#include "het/Transforms/UniformityAnalysis.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het {

using ir::Level;

/// Blocks that end soon have at most this many operations on all ways to the end.
static constexpr unsigned shortEndOperations = 64;

UniformityAnalysis::UniformityAnalysis(LLVM::LLVMFuncOp kernel)
    : kernel(kernel) {
  numberBlocks();
  findEnds();
  findPostDominators();
  for (unsigned b = 0; b < blocks.size(); ++b)
    reachable.push_back(reach(b, blocks.size()));
  while (update()) {
  }
}

Level UniformityAnalysis::valueLevel(Value value) const {
  auto it = values.find(value);
  return it == values.end() ? Level::Grid : it->second;
}

Level UniformityAnalysis::controlLevel(Block *block) const {
  auto it = numbers.find(block);
  return it == numbers.end() ? Level::Divergent : control[it->second];
}

Level UniformityAnalysis::branchLevel(Block *block) const {
  Operation *terminator = block->getTerminator();
  if (terminator->getNumSuccessors() < 2)
    return Level::Grid;
  if (isa<LLVM::CondBrOp, LLVM::SwitchOp>(terminator))
    return valueLevel(terminator->getOperand(0));
  return Level::Divergent;
}

bool UniformityAnalysis::isEndingEdge(Block *from, Block *to) const {
  return isEndingEdge(numbers.lookup(from), numbers.lookup(to));
}

void UniformityAnalysis::numberBlocks() {
  for (Block &block : kernel.getBody()) {
    numbers[&block] = blocks.size();
    blocks.push_back(&block);
  }
  control.assign(blocks.size(), Level::Grid);
}

/// Finds the blocks that reach sync points and those that end soon. Works from the
/// ends backwards until nothing changes.
void UniformityAnalysis::findEnds() {
  unsigned count = blocks.size();
  reachesSync.resize(count);
  shortEnd.resize(count);
  SmallVector<unsigned> length(count, 0);
  for (unsigned b = 0; b < count; ++b)
    for (Operation &op : *blocks[b]) {
      bool isPoint = ir::isSyncPoint(&op) ||
                     (isa<ir::SafePointOp>(op) &&
                      cast<ir::SafePointOp>(op).getReason() !=
                          ir::SafePointReason::Entry);
      if (isPoint)
        reachesSync.set(b);
      ++length[b];
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = count; b-- > 0;) {
      bool reaches = false, ends = true;
      unsigned longest = 0;
      for (Block *successor : blocks[b]->getSuccessors()) {
        unsigned s = numbers[successor];
        reaches |= reachesSync.test(s);
        ends &= shortEnd.test(s);
        longest = std::max(longest, length[s]);
      }
      if (reaches && !reachesSync.test(b)) {
        reachesSync.set(b);
        changed = true;
      }
      if (shortEnd.test(b) || !ends || reachesSync.test(b))
        continue;
      if (length[b] + longest <= shortEndOperations) {
        length[b] += longest;
        shortEnd.set(b);
        changed = true;
      }
    }
  }
}

/// By an ending edge threads leave for the kernel's end while others go on.
bool UniformityAnalysis::isEndingEdge(unsigned block, unsigned successor) const {
  if (reachesSync.test(successor))
    return false;
  for (Block *other : blocks[block]->getSuccessors()) {
    unsigned o = numbers.lookup(other);
    if (o == successor)
      continue;
    if (reachesSync.test(o) || (shortEnd.test(successor) && !shortEnd.test(o)))
      return true;
  }
  return false;
}

SmallVector<unsigned>
UniformityAnalysis::continuingSuccessors(unsigned block) const {
  SmallVector<unsigned> result;
  for (Block *successor : blocks[block]->getSuccessors()) {
    unsigned s = numbers.lookup(successor);
    if (!isEndingEdge(block, s))
      result.push_back(s);
  }
  return result;
}

void UniformityAnalysis::findPostDominators() {
  unsigned count = blocks.size();
  postDominators.assign(count, llvm::BitVector(count, true));
  SmallVector<Block *> order;
  for (Block *block : llvm::post_order(&kernel.getBody().front()))
    order.push_back(block);
  for (bool changed = true; changed;) {
    changed = false;
    for (Block *block : order) {
      unsigned b = numbers[block];
      SmallVector<unsigned> successors = continuingSuccessors(b);
      llvm::BitVector set(count, !successors.empty());
      for (unsigned s : successors)
        set &= postDominators[s];
      set.set(b);
      if (set != postDominators[b]) {
        postDominators[b] = set;
        changed = true;
      }
    }
  }
}

/// The nearest block that post-dominates `block`, or the number of blocks where only
/// the kernel's end does.
unsigned UniformityAnalysis::join(unsigned block) const {
  // The nearest one is post-dominated by all the others.
  unsigned best = blocks.size(), most = 0;
  for (unsigned p : postDominators[block].set_bits()) {
    unsigned size = postDominators[p].count();
    if (p != block && size > most) {
      best = p;
      most = size;
    }
  }
  return best;
}

/// Blocks reachable from `from` without passing `stop`, along continuing edges.
llvm::BitVector UniformityAnalysis::reach(unsigned from, unsigned stop) const {
  llvm::BitVector seen(blocks.size());
  SmallVector<unsigned> stack;
  if (from != stop) {
    seen.set(from);
    stack.push_back(from);
  }
  while (!stack.empty()) {
    unsigned b = stack.pop_back_val();
    for (unsigned s : continuingSuccessors(b))
      if (s != stop && !seen.test(s)) {
        seen.set(s);
        stack.push_back(s);
      }
  }
  return seen;
}

bool UniformityAnalysis::raise(Value value, Level level) {
  if (level <= valueLevel(value))
    return false;
  values[value] = level;
  return true;
}

bool UniformityAnalysis::raiseControl(unsigned block, Level level) {
  if (level <= control[block])
    return false;
  control[block] = level;
  return true;
}

/// Whether no thread writes what the load reads while the kernel runs.
static bool isConstantMemory(LLVM::LoadOp load, LLVM::LLVMFuncOp kernel) {
  auto type = cast<LLVM::LLVMPointerType>(load.getAddr().getType());
  if (load.getInvariant() || type.getAddressSpace() == ir::constantSpace)
    return true;
  Value base = load.getAddr();
  while (Operation *op = base.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
      return false;
    base = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(base);
  if (!argument.getOwner()->isEntryBlock())
    return false;
  unsigned index = argument.getArgNumber();
  if (kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName()))
    return false;
  return kernel.getArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName()) &&
         kernel.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName());
}

Level UniformityAnalysis::resultLevel(Operation &op) const {
  Level operands = Level::Grid;
  for (Value operand : op.getOperands())
    operands = std::max(operands, valueLevel(operand));
  return llvm::TypeSwitch<Operation *, Level>(&op)
      .Case<ir::ThreadIdOp, ir::LaneIdOp, LLVM::AllocaOp, ir::ClockOp>(
          [](auto) { return Level::Divergent; })
      .Case([](ir::TeamIdOp) { return Level::Team; })
      .Case<ir::BlockIdOp, ir::DynamicSharedOp, ir::BarrierReduceOp, ir::FrameOp>(
          [](auto) { return Level::Block; })
      .Case([&](LLVM::AddressOfOp address) {
        auto type = cast<LLVM::LLVMPointerType>(address.getType());
        return type.getAddressSpace() == ir::sharedSpace ? Level::Block
                                                         : Level::Grid;
      })
      .Case<ir::ActiveMaskOp>([](auto) { return Level::Team; })
      .Case<ir::BallotOp, ir::VoteOp, ir::TeamReduceOp>([](auto vote) {
        // Lanes with different masks get different answers.
        APInt mask;
        return matchPattern(vote.getMask(), m_ConstantInt(&mask)) &&
                       mask.isAllOnes()
                   ? Level::Team
                   : Level::Divergent;
      })
      .Case([&](LLVM::LoadOp load) {
        return isConstantMemory(load, kernel) ? operands : Level::Divergent;
      })
      .Default([&](Operation *other) {
        return isPure(other) ? operands : Level::Divergent;
      });
}

/// Marks what a branch on a value of `level` makes less uniform.
bool UniformityAnalysis::spreadBranch(unsigned block) {
  Level level = branchLevel(blocks[block]);
  if (level == Level::Grid)
    return false;
  bool changed = false;
  SmallVector<unsigned> successors = continuingSuccessors(block);
  unsigned stop = join(block);
  llvm::BitVector goOn(blocks.size());
  for (unsigned s : successors)
    goOn |= reachable[s];
  for (Block *successor : blocks[block]->getSuccessors()) {
    unsigned s = numbers.lookup(successor);
    if (llvm::is_contained(successors, s))
      continue;
    divergentReturn |= level > Level::Block;
    for (unsigned b : reachable[s].set_bits())
      if (!goOn.test(b))
        changed |= raiseControl(b, level);
  }
  llvm::sort(successors);
  successors.erase(llvm::unique(successors), successors.end());
  if (successors.size() < 2)
    return changed;
  llvm::BitVector once(blocks.size()), twice(blocks.size());
  for (unsigned s : successors) {
    llvm::BitVector reached = reach(s, stop);
    llvm::BitVector again = reached;
    again &= once;
    twice |= again;
    once |= reached;
  }
  for (unsigned b : once.set_bits())
    changed |= raiseControl(b, level);
  if (stop < blocks.size())
    twice.set(stop);
  for (unsigned b : twice.set_bits())
    for (Value argument : blocks[b]->getArguments())
      changed |= raise(argument, level);
  return changed | spreadBackEdges(block, once, level);
}

/// Where the branch lies in a cycle that its threads leave at different times, what
/// the cycle's blocks define differs outside of it.
bool UniformityAnalysis::spreadBackEdges(unsigned block,
                                         const llvm::BitVector &influenced,
                                         Level level) {
  if (!influenced.test(block))
    return false;
  bool changed = false;
  for (unsigned b : influenced.set_bits()) {
    // In the cycle: the branch can be reached again from here.
    if (!reachable[b].test(block))
      continue;
    auto leaves = [&](Value value) {
      return llvm::any_of(value.getUsers(), [&](Operation *user) {
        unsigned u = numbers.lookup(user->getBlock());
        return u != b && !reachable[u].test(block);
      });
    };
    for (Value argument : blocks[b]->getArguments())
      if (leaves(argument))
        changed |= raise(argument, level);
    for (Operation &op : *blocks[b])
      for (Value result : op.getResults())
        if (leaves(result))
          changed |= raise(result, level);
  }
  return changed;
}

bool UniformityAnalysis::update() {
  bool changed = false;
  for (unsigned b = 0; b < blocks.size(); ++b) {
    for (Operation &op : *blocks[b]) {
      if (auto point = dyn_cast<ir::SafePointOp>(op)) {
        for (auto [result, live] : llvm::zip(point->getResults(), point.getLive()))
          changed |= raise(result, valueLevel(live));
        continue;
      }
      if (op.getNumResults() == 0)
        continue;
      Level level = resultLevel(op);
      for (Value result : op.getResults())
        changed |= raise(result, level);
    }
    auto branch = dyn_cast<BranchOpInterface>(blocks[b]->getTerminator());
    if (branch)
      for (unsigned s = 0, e = blocks[b]->getNumSuccessors(); s < e; ++s) {
        auto operands = branch.getSuccessorOperands(s);
        for (auto [argument, operand] :
             llvm::zip(blocks[b]->getSuccessor(s)->getArguments(),
                       operands.getForwardedOperands()))
          changed |= raise(argument, valueLevel(operand));
      }
    changed |= spreadBranch(b);
  }
  return changed;
}

} // namespace het
