// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uniformity analysis: a fixed point over values (data dependence), joins
// behind divergent branches (control dependence) and values that leave a loop whose
// exit is divergent (temporal divergence). Post-dominators are those of the graph
// without the edges by which threads only end.

#include "het/Transforms/UniformityAnalysis.h"
#include "ConstantLoads.h"
#include "Joins.h"
#include "SharedLoads.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het {

using ir::Level;

/// Blocks that end soon have at most this many operations on all ways to the end.
static constexpr unsigned shortEndOperations = 64;

UniformityAnalysis::UniformityAnalysis(LLVM::LLVMFuncOp kernel) : kernel(kernel) {
  numberBlocks();
  findEnds();
  findContinuingEdges();
  findJoins();
  findKnownLoads();
  spread.assign(blocks.size(), Level::Grid);
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
                     (isa<ir::SafePointOp>(op) && cast<ir::SafePointOp>(op).getReason() !=
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

void UniformityAnalysis::findContinuingEdges() {
  leadsToSync.resize(blocks.size());
  leadsFar.resize(blocks.size());
  continuing.resize(blocks.size());
  continuedBy.resize(blocks.size());
  for (unsigned b = 0; b < blocks.size(); ++b) {
    for (Block *successor : blocks[b]->getSuccessors()) {
      unsigned s = numbers.lookup(successor);
      leadsToSync[b] = leadsToSync[b] || reachesSync.test(s);
      leadsFar[b] = leadsFar[b] || !shortEnd.test(s);
    }
    for (Block *successor : blocks[b]->getSuccessors())
      if (unsigned s = numbers.lookup(successor); !isEndingEdge(b, s)) {
        continuing[b].push_back(s);
        continuedBy[s].push_back(b);
      }
  }
}

/// Blocks that are taken for the kernel's end: those that nothing continues, and where a
/// loop has no other way out than ending edges, or none, one of its blocks; each choice
/// is safe, an ending edge's the most exact.
llvm::BitVector UniformityAnalysis::findLoopEnds() const {
  unsigned count = blocks.size();
  llvm::BitVector reachesEnd(count), result(count);
  auto addEnd = [&](unsigned block) {
    result.set(block);
    reachesEnd.set(block);
    SmallVector<unsigned> work{block};
    while (!work.empty())
      for (unsigned from : continuedBy[work.pop_back_val()])
        if (!reachesEnd.test(from)) {
          reachesEnd.set(from);
          work.push_back(from);
        }
  };
  auto addWhere = [&](llvm::function_ref<bool(unsigned)> isEnd) {
    for (unsigned b = count; b-- > 0;)
      if (!reachesEnd.test(b) && isEnd(b))
        addEnd(b);
  };
  addWhere([&](unsigned b) { return continuing[b].empty(); });
  addWhere(
      [&](unsigned b) { return continuing[b].size() < blocks[b]->getNumSuccessors(); });
  addWhere([](unsigned) { return true; });
  return result;
}

void UniformityAnalysis::findJoins() {
  joins = transforms::findJoins(continuing, findLoopEnds());
}

/// Which blocks each block reaches, itself included, by edges of both kinds.
void UniformityAnalysis::findReachable() {
  unsigned count = blocks.size();
  reachable.assign(count, llvm::BitVector(count));
  for (unsigned b = 0; b < count; ++b)
    reachable[b].set(b);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = count; b-- > 0;)
      for (Block *successor : blocks[b]->getSuccessors()) {
        const llvm::BitVector &further = reachable[numbers.lookup(successor)];
        if (further.test(reachable[b])) {
          reachable[b] |= further;
          changed = true;
        }
      }
  }
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
    for (unsigned s : continuing[b])
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
  if (level > Level::Block && hasBarrier.test(block))
    barriersAreTogether = false;
  return true;
}

void UniformityAnalysis::findKnownLoads() {
  constantLoads = transforms::findConstantLoads(kernel);
  settledLoads = transforms::findSettledLoads(kernel);
  hasBarrier.resize(blocks.size());
  for (auto [number, block] : llvm::enumerate(blocks))
    if (llvm::any_of(*block, [](Operation &op) { return ir::isWholeBarrier(&op); }))
      hasBarrier.set(number);
}

Level UniformityAnalysis::loadLevel(LLVM::LoadOp load, Level address) const {
  if (constantLoads.contains(load))
    return address;
  return settledLoads.contains(load) && barriersAreTogether
             ? std::max(address, Level::Block)
             : Level::Divergent;
}

/// Where the operation does not say itself.
Level UniformityAnalysis::resultLevel(Operation &op) const {
  Level operands = Level::Grid;
  for (Value operand : op.getOperands())
    operands = std::max(operands, valueLevel(operand));
  return llvm::TypeSwitch<Operation *, Level>(&op)
      .Case([](LLVM::AllocaOp) { return Level::Divergent; })
      .Case([&](LLVM::AddressOfOp address) {
        auto type = cast<LLVM::LLVMPointerType>(address.getType());
        return type.getAddressSpace() == ir::sharedSpace ? Level::Block : Level::Grid;
      })
      .Case([&](LLVM::LoadOp load) { return loadLevel(load, operands); })
      .Default([&](Operation *other) {
        return isMemoryEffectFree(other) ? operands : Level::Divergent;
      });
}

/// Marks what a branch on a value of `level` makes less uniform. That depends on the
/// graph and the level alone, so it is done once for each level.
bool UniformityAnalysis::spreadBranch(unsigned block) {
  Level level = branchLevel(blocks[block]);
  if (level <= spread[block])
    return false;
  spread[block] = level;
  bool changed = false;
  unsigned stop = joins[block];
  llvm::BitVector once(blocks.size()), twice(blocks.size());
  auto add = [&](const llvm::BitVector &reached) {
    llvm::BitVector again = reached;
    again &= once;
    twice |= again;
    once |= reached;
  };
  // Edges are told apart, not successors: two may lead to one block with
  // different arguments.
  unsigned goingOn = 0;
  for (Block *successor : blocks[block]->getSuccessors()) {
    unsigned s = numbers.lookup(successor);
    if (isEndingEdge(block, s))
      continue;
    add(reach(s, stop));
    ++goingOn;
  }
  if (goingOn > 1) {
    for (unsigned b : once.set_bits())
      changed |= raiseControl(b, level);
    if (stop < blocks.size())
      twice.set(stop);
    llvm::BitVector everywhere(blocks.size(), true);
    changed |= spreadCycle(block, level, stop, everywhere);
  }
  changed |= spreadEnds(block, level, twice);
  for (unsigned b : twice.set_bits())
    for (Value argument : blocks[b]->getArguments())
      changed |= raise(argument, level);
  return changed;
}

/// Threads that leave by an ending edge reach the blocks behind it at a time of their
/// own. Adds to `joins` the blocks in which they can meet others.
bool UniformityAnalysis::spreadEnds(unsigned block, Level level, llvm::BitVector &joins) {
  if (continuing[block].size() == blocks[block]->getNumSuccessors())
    return false;
  if (reachable.empty())
    findReachable();
  llvm::BitVector staying(blocks.size()), ends(blocks.size());
  for (Block *successor : blocks[block]->getSuccessors()) {
    unsigned s = numbers.lookup(successor);
    if (!isEndingEdge(block, s)) {
      staying |= reachable[s];
      continue;
    }
    divergentReturn |= level > Level::Block;
    llvm::BitVector both = ends;
    both &= reachable[s];
    joins |= both;
    ends |= reachable[s];
  }
  bool changed = spreadCycle(block, level, blocks.size(), ends);
  for (unsigned b : ends.set_bits()) {
    if (staying.test(b))
      joins.set(b);
    else
      changed |= raiseControl(b, level);
  }
  return changed;
}

/// The blocks on ways from `block` to itself that do not pass `stop`.
llvm::BitVector UniformityAnalysis::cycleOf(unsigned block, unsigned stop) const {
  const llvm::BitVector behind = reach(block, stop);
  llvm::BitVector cycle(blocks.size());
  SmallVector<unsigned> work{block};
  while (!work.empty())
    for (unsigned from : continuedBy[work.pop_back_val()])
      if (behind.test(from) && !cycle.test(from)) {
        cycle.set(from);
        work.push_back(from);
      }
  return cycle;
}

/// Where the branch lies in a cycle that its threads leave at different times, what
/// the cycle's blocks define differs for users outside of it in `region`. Cycles that
/// pass `stop` are left by all at once.
bool UniformityAnalysis::spreadCycle(unsigned block, Level level, unsigned stop,
                                     const llvm::BitVector &region) {
  const llvm::BitVector inside = cycleOf(block, stop);
  bool changed = false;
  auto raiseIfLeaving = [&](Value value) {
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          unsigned u = numbers.lookup(user->getBlock());
          return region.test(u) && !inside.test(u);
        }))
      changed |= raise(value, level);
  };
  for (unsigned b : inside.set_bits()) {
    llvm::for_each(blocks[b]->getArguments(), raiseIfLeaving);
    for (Operation &op : *blocks[b])
      llvm::for_each(op.getResults(), raiseIfLeaving);
  }
  return changed;
}

bool UniformityAnalysis::raiseResults(Operation &op) {
  if (op.getNumResults() == 0)
    return false;
  bool changed = false;
  if (auto known = dyn_cast<ir::UniformityOpInterface>(op)) {
    SmallVector<Level> operands = llvm::map_to_vector(
        op.getOperands(), [&](Value operand) { return valueLevel(operand); });
    for (OpResult result : op.getResults())
      changed |=
          raise(result, known.inferResultLevel(result.getResultNumber(), operands));
    return changed;
  }
  const Level level = resultLevel(op);
  for (Value result : op.getResults())
    changed |= raise(result, level);
  return changed;
}

bool UniformityAnalysis::update() {
  bool changed = false;
  for (unsigned b = 0; b < blocks.size(); ++b) {
    for (Operation &op : *blocks[b])
      changed |= raiseResults(op);
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
