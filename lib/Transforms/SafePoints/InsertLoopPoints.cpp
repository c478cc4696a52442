// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where control is uniform over a block, its lanes can go round a loop together, so a
// form that runs parallel regions has a lane loop inside of each round and not around the
// loop.

#include "InsertLoopPoints.h"
#include "PollPlan.h"
#include "RouteValues.h"
#include "VoteOnLoops.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace het::transforms {
#define GEN_PASS_DEF_INSERTLOOPPOINTS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;

namespace het::transforms {

/// Whether a compiler is expected to unroll a loop, and so make values of arrays that it
/// goes through. A parked thread that went on in its middle would keep it from that.
static bool isUnrolled(CFGLoop *loop) {
  constexpr unsigned maxRounds = 32;
  std::optional<CountedLoop> counted = findCountedLoop(loop);
  std::optional<uint64_t> rounds = counted ? counted->constantRounds() : std::nullopt;
  return rounds && *rounds <= maxRounds;
}

SmallVector<Operation *> findLoopPlaces(LLVM::LLVMFuncOp kernel, bool skipUnrolled) {
  SmallVector<Operation *> places;
  if (kernel.getBody().hasOneBlock())
    return places;
  UniformityAnalysis uniformity(kernel);
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&kernel.getBody()));
  llvm::SetVector<Block *> blocks;
  for (CFGLoop *loop : loops.getLoopsInPreorder()) {
    if (!isConvergentLoop(loop, uniformity) || isAroundVote(loop) ||
        (skipUnrolled && isUnrolled(loop)))
      continue;
    SmallVector<Block *> exits;
    loop->getExitBlocks(exits);
    blocks.insert(loop->getHeader());
    // An exit that threads also reach from elsewhere (those that skip the loop) is
    // no place of the loop's own.
    for (Block *exit : exits)
      if (llvm::all_of(exit->getPredecessors(),
                       [&](Block *from) { return loop->contains(from); }))
        blocks.insert(exit);
  }
  for (Block *block : blocks)
    if (!block->isEntryBlock())
      places.push_back(&block->front());
  return places;
}

/// The places that have a safe point already: the first operation of the kernel's own
/// that comes with it.
static llvm::SmallPtrSet<Operation *, 8> placesTaken(ArrayRef<ir::SafePointOp> points) {
  llvm::SmallPtrSet<Operation *, 8> taken;
  for (ir::SafePointOp point : points) {
    Operation *first = point; // what is its own may come before it
    while (first->getPrevNode() && isPure(first->getPrevNode()))
      first = first->getPrevNode();
    taken.insert(first);
  }
  return taken;
}

SmallVector<Type> insertAdditionalPoints(LLVM::LLVMFuncOp kernel,
                                         ArrayRef<Operation *> before,
                                         unsigned firstSlot) {
  SmallVector<ir::SafePointOp> known;
  kernel.walk([&](ir::SafePointOp point) { known.push_back(point); });
  const auto taken = placesTaken(known);
  SmallVector<SafePointPlace> places;
  for (Operation *place : before)
    if (!taken.contains(place))
      places.push_back({place, ir::SafePointReason::Loop});
  if (places.empty())
    return {};
  ValueRouter router(kernel, places);
  router.route(nextSafePointId(kernel), firstSlot);
  for (ir::SafePointOp point : router.safePoints())
    point->setAttr(additionalAttrName, UnitAttr::get(kernel.getContext()));
  return SmallVector<Type>(router.typesOfSlots());
}

SmallVector<Type> insertLoopPoints(LLVM::LLVMFuncOp kernel, unsigned firstSlot) {
  return insertAdditionalPoints(kernel, findLoopPlaces(kernel, /*skipUnrolled=*/false),
                                firstSlot);
}

unsigned nextSlot(LLVM::LLVMFuncOp kernel) {
  int32_t next = 0;
  kernel.walk([&](ir::SafePointOp point) {
    if (auto slots = point->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName))
      for (int32_t slot : slots.asArrayRef())
        next = std::max(next, slot + 1);
  });
  return next;
}

} // namespace het::transforms

using namespace het;

namespace {

struct InsertLoopPoints : het::transforms::impl::InsertLoopPointsBase<InsertLoopPoints> {
  void runOnOperation() override {
    getOperation()->walk([](LLVM::LLVMFuncOp function) {
      if (ir::isKernel(function) && !function.isExternal())
        (void)het::transforms::insertLoopPoints(function,
                                                het::transforms::nextSlot(function));
    });
  }
};

} // namespace
