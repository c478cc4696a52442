// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a round of each loop costs, from the inside out: a loop that is known to have
// few rounds is a part of the loop around it; any other is polled. All together, if that
// can be.

#include "PollPlan.h"
#include "../Analysis/LoadChains.h"
#include "VotedLoops.h"
#include "het/IR/FlushedArithmetic.h"
#include "het/IR/Module.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/WaitingLoops.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace het::transforms {

bool isConvergentLoop(CFGLoop *loop, const UniformityAnalysis &uniformity) {
  SmallVector<Block *> exiting, exits;
  loop->getExitingBlocks(exiting);
  loop->getExitBlocks(exits);
  auto isTogether = [&](Block *block) {
    return uniformity.controlLevel(block) <= ir::Level::Block;
  };
  return isTogether(loop->getHeader()) && !exits.empty() &&
         llvm::all_of(exits, isTogether) && llvm::all_of(exiting, [&](Block *block) {
           return isTogether(block) && uniformity.branchLevel(block) <= ir::Level::Block;
         });
}

namespace {

bool isShared(Value address) {
  auto type = cast<LLVM::LLVMPointerType>(address.getType());
  return type.getAddressSpace() == ir::sharedSpace;
}

/// Where one thread after another loads from memory, the machine waits for it.
unsigned costOfAccess(Value address) { return isShared(address) ? 4 : 16; }

/// What a round waits for that must know what the round before has loaded.
unsigned costOfChase(Value address) { return isShared(address) ? 16 : 128; }

/// Whether it only adds and multiplies, and flushes.
bool isArithmetic(ir::MathOp op) {
  StringRef name = op.getFunction();
  return name == ir::flushFunction || name == "add_ftz" || name == "sub_ftz" ||
         name == "mul_ftz" || name == "fma_ftz";
}

unsigned costOf(Operation &op, const LoadChains &chains) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return chains.isLink(load) ? costOfChase(load.getAddr())
                               : costOfAccess(load.getAddr());
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return costOfAccess(store.getAddr());
  if (isa<LLVM::CallOp>(op))
    return 64;
  if (auto math = dyn_cast<ir::MathOp>(op))
    return isArithmetic(math) ? 1 : math.getFunction() == "div_ftz" ? 8 : 16;
  if (ir::isSyncPoint(&op))
    return 16;
  if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::UDivOp, LLVM::SDivOp,
          LLVM::URemOp, LLVM::SRemOp, LLVM::FDivOp>(op))
    return 8;
  return isa<LLVM::ConstantOp>(op) ? 0 : 1;
}

class Planner {
public:
  Planner(LLVM::LLVMFuncOp kernel, unsigned interval)
      : uniformity(kernel), dominance(kernel),
        loops(dominance.getDomTree(&kernel.getBody())), voted(kernel, uniformity, loops) {
    plan.interval = interval;
  }

  PollPlan run() {
    for (CFGLoop *loop : loops.getLoopsInPreorder())
      if (findWait(loop, dominance) != LoopWait::Never) {
        waiting.insert(loop);
        voted.addWaiting(loop);
      }
    for (CFGLoop *loop : loops)
      visit(loop);
    if (anyPerThread) {
      plan.convergent = false;
      plan.interval = std::max(plan.interval / PollPlan::apart, 1u);
      polled.clear();
      for (CFGLoop *loop : loops)
        visit(loop);
    }
    numberLoops();
    return std::move(plan);
  }

private:
  void numberLoops() {
    llvm::DenseMap<CFGLoop *, int> numbers;
    for (CFGLoop *loop : loops.getLoopsInPreorder()) {
      auto found = polled.find(loop);
      if (found == polled.end())
        continue;
      for (CFGLoop *outer = loop->getParentLoop(); outer && !found->second.outer;
           outer = outer->getParentLoop())
        if (auto number = numbers.find(outer); number != numbers.end())
          found->second.outer = number->second;
      if (found->second.isVotedOn)
        std::swap(found->second.outer, found->second.outerOfVote);
      numbers[loop] = plan.loops.size();
      plan.loops.push_back(std::move(found->second));
    }
  }

  /// A compiler does not unroll it, then.
  bool meetsInEachRound(CFGLoop *loop) {
    Block *latch = loop->getLoopLatch();
    return latch && llvm::any_of(loop->getBlocks(), [&](Block *block) {
             return dominance.dominates(block, latch) &&
                    llvm::any_of(*block, [](Operation &op) {
                      return ir::syncScope(&op) == ir::SyncScope::Block;
                    });
           });
  }

  /// What it costs to enter a loop that is not polled; nothing where it, or one inside,
  /// is polled or waits.
  std::optional<uint64_t> visit(CFGLoop *loop) {
    uint64_t cost = 0;
    const LoadChains chains(loop);
    for (Block *block : loop->getBlocks())
      if (loops.getLoopFor(block) == loop)
        for (Operation &op : *block)
          cost += costOf(op, chains);
    bool hasInner = false;
    for (CFGLoop *inner : *loop) {
      std::optional<uint64_t> innerCost = visit(inner);
      hasInner |= !innerCost;
      cost += innerCost.value_or(0);
    }
    if (waiting.contains(loop))
      return std::nullopt;
    std::optional<CountedLoop> counted = findCountedLoop(loop);
    std::optional<uint64_t> rounds = counted ? counted->maxRounds() : std::nullopt;
    // Lanes that are apart do not stay so for long where it ends by itself.
    const uint64_t limit =
        plan.convergent ? plan.interval : plan.interval * PollPlan::apart;
    if (!hasInner && rounds && *rounds <= limit / std::max<uint64_t>(cost, 1))
      return *rounds * cost;
    const unsigned bounded = std::clamp<uint64_t>(cost, 1, plan.interval);
    PolledLoop &poll = polled[loop];
    poll = {loop->getHeader(), {}, {}, bounded, hasInner, {}, counted};
    // To ask takes three instructions and a jump.
    constexpr unsigned largeRound = 256;
    poll.isInside =
        hasInner || (plan.convergent && cost >= largeRound && meetsInEachRound(loop));
    loop->getLoopLatches(poll.latches);
    for (Block *block : loop->getBlocks())
      for (auto [index, successor] : llvm::enumerate(block->getSuccessors()))
        if (!loop->contains(successor))
          poll.exits.push_back({block, index});
    if (plan.convergent &&
        (!isConvergentLoop(loop, uniformity) || voted.isBehindWait(loop))) {
      // Where each thread has a range of its own, of few rounds mostly, it costs too much
      // on machines that run a block as segments.
      const bool isOfRange = counted && poll.exits.size() == 1;
      const bool mayMeet = !hasInner && !isOfRange,
                 isLeftToEnd = mayMeet && voted.isLeftToEnd(loop);
      poll.isVotedOn = mayMeet && !isLeftToEnd && voted.canBeVotedOn(loop);
      poll.guard = poll.isVotedOn ? voted.guardOf(loop) : nullptr;
      // Threads that pass this one by and come to another one are not together there.
      if (poll.guard && !guards.insert(poll.guard).second)
        poll.isVotedOn = false;
      anyPerThread |= !isLeftToEnd && !poll.isVotedOn;
    }
    return std::nullopt;
  }

  PollPlan plan;
  UniformityAnalysis uniformity;
  DominanceInfo dominance;
  CFGLoopInfo loops;
  VotedLoops voted;
  llvm::DenseSet<CFGLoop *> waiting; ///< For others.
  llvm::DenseSet<Block *> guards;    ///< Blocks that lead around loops that are voted on.
  bool anyPerThread = false; ///< A loop is polled, and not by all threads together.
  llvm::DenseMap<CFGLoop *, PolledLoop> polled;
};

} // namespace

PollPlan planPolls(LLVM::LLVMFuncOp kernel, unsigned interval) {
  auto where = kernel->getAttrOfType<StringAttr>(ir::safePointsAttrName);
  if (where && where == ir::safePointsAtBarriers) {
    PollPlan none;
    none.convergent = false;
    return none;
  }
  if (interval == 0 || interval == noPolls || kernel.getBody().hasOneBlock())
    return {};
  return Planner(kernel, interval).run();
}

} // namespace het::transforms
