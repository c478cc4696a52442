// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where lanes rely on running in lockstep. A store to shared memory is pending
// until the next sync point. A load is a hazard if a store is pending whose address may
// be another lane's: one from another block, one of this block with another base, or with
// the same base and another constant offset, where lanes are neighbours (the classic
// reduction and scan of a warp) and the accesses are not to a thread's own array.
//
// Where lanes have gone apart already, a load is a hazard if they have met since a store
// to another base of the same variable, or behind a store of their neighbours' places,
// but where one lane alone stores and loads (MetStores.h).
//
// The other way round, lanes that run one after the other in the order of their number
// must not store what a later lane has yet to load: a store is a hazard behind a load
// from a lower address (the scan's step), or, volatile, from any other.

#include "het/Transforms/LockstepHazards.h"
#include "MetStores.h"

using namespace mlir;

namespace het::transforms {
namespace {

bool hasStore(const AccessList &accesses) {
  return llvm::any_of(accesses, [](const Access &access) { return access.isStore; });
}
bool hasLoad(const AccessList &accesses) {
  return llvm::any_of(accesses, [](const Access &access) { return !access.isStore; });
}

/// Accesses since the last sync point, asked for all at once: however many there are, a
/// further one is compared with the range of those from each base.
class Accesses {
public:
  void add(const Place &place) {
    auto [it, isNew] =
        ranges.try_emplace(place.origin(), Range{place.offset, place.offset});
    if (isNew)
      ++baseCounts[nameOf(place)];
    it->second.least = std::min(it->second.least, place.offset);
    it->second.most = std::max(it->second.most, place.offset);
  }
  void clear() {
    ranges.clear();
    baseCounts.clear();
  }
  /// Whether one has another origin that may lead to the same object.
  bool hasOtherBase(const Place &place) const {
    const StringAttr name = nameOf(place);
    const unsigned count =
        name ? baseCounts.lookup(name) + baseCounts.lookup({}) : ranges.size();
    return count > ranges.count(place.origin());
  }
  /// Whether one has the same origin and another offset, less than `reach` away.
  bool hasOtherOffset(const Place &place, int64_t reach) const {
    auto it = ranges.find(place.origin());
    return it != ranges.end() &&
           (it->second.least != place.offset || it->second.most != place.offset) &&
           place.offset - it->second.most < reach &&
           it->second.least - place.offset < reach;
  }
  bool hasLowerOffset(const Place &place, int64_t reach) const {
    auto it = ranges.find(place.origin());
    return it != ranges.end() && it->second.least < place.offset &&
           place.offset - it->second.most < reach;
  }

private:
  struct Range {
    int64_t least, most;
  };
  /// Null where the variable is not known.
  static StringAttr nameOf(const Place &place) {
    auto variable = dyn_cast_or_null<LLVM::AddressOfOp>(place.variable);
    return variable ? variable.getGlobalNameAttr().getAttr() : StringAttr();
  }

  DenseMap<std::pair<Value, Value>, Range> ranges; ///< From each origin.
  DenseMap<StringAttr, unsigned> baseCounts;       ///< Number of bases in each variable.
};

/// Pending accesses of one kind.
struct Pending {
  Accesses all, volatiles;

  void add(const Place &place) {
    all.add(place);
    if (place.isVolatile)
      volatiles.add(place);
  }
  void clear() {
    all.clear();
    volatiles.clear();
  }
};

constexpr int64_t anywhere = std::numeric_limits<int64_t>::max();

/// A load behind stores.
bool mayBeAnotherLanes(const Pending &stores, const Place &load) {
  return stores.all.hasOtherBase(load) ||
         (!load.isOwn && stores.all.hasOtherOffset(load, load.reach())) ||
         (load.isVolatile && stores.volatiles.hasOtherOffset(load, anywhere));
}

/// A store behind loads.
bool mayPrecedeAnotherLanes(const Pending &loads, const Place &store) {
  return (!store.isOwn && loads.all.hasLowerOffset(store, store.reach())) ||
         (store.isVolatile && (loads.volatiles.hasOtherBase(store) ||
                               loads.volatiles.hasLowerOffset(store, anywhere)));
}

class Finder {
public:
  Finder(LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity)
      : kernel(kernel), uniformity(uniformity), layout(DataLayout::closest(kernel)),
        dominance(kernel), metStores(kernel, dominance, layout) {}

  SmallVector<Operation *> run() {
    spreadPending();
    spreadDemand();
    for (Block &block : kernel.getBody())
      scan(block);
    return places;
  }

private:
  bool isTogether(Block *block) const {
    return uniformity.controlLevel(block) <= ir::Level::Block;
  }

  /// Whether a store is pending at the end of each block.
  void spreadPending() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Block &block : kernel.getBody()) {
        bool state = isPendingAt(block);
        for (Operation &op : block) {
          if (ir::isSyncPoint(&op))
            state = false;
          else if (hasStore(accessesOf(op)))
            state = true;
        }
        if (state && pending.insert(&block).second)
          changed = true;
      }
    }
  }

  bool isPendingAt(Block &block) const {
    return llvm::any_of(block.getPredecessors(),
                        [&](Block *p) { return pending.contains(p); });
  }

  /// Whether a load comes before the next sync point, from each block's beginning.
  void spreadDemand() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Block &block : llvm::reverse(kernel.getBody()))
        if (demandsAt(block) && demand.insert(&block).second)
          changed = true;
    }
  }

  bool demandsAt(Block &block) const {
    for (Operation &op : block) {
      if (ir::isSyncPoint(&op))
        return false;
      if (hasLoad(accessesOf(op)))
        return true;
    }
    return llvm::any_of(block.getSuccessors(),
                        [&](Block *s) { return demand.contains(s); });
  }

  /// Lanes that have gone apart and stored meet again in this block.
  bool isMeeting(Block &block) const {
    return isTogether(&block) && demand.contains(&block) &&
           llvm::any_of(block.getPredecessors(),
                        [&](Block *p) { return pending.contains(p) && !isTogether(p); });
  }

  /// Whether lanes that come to a block apart may load what others stored before it.
  bool isApartHazard(Block &block, const Place &load) {
    return !isTogether(&block) && (!load.isOwn || load.isUniform) &&
           metStores.mayReach(&block, load);
  }

  void scan(Block &block) {
    Pending stores, loads;
    bool isFirst = true; // no sync point yet
    auto forget = [&] {
      stores.clear();
      loads.clear();
      isFirst = false;
    };
    if (isMeeting(block) && !block.isEntryBlock()) {
      places.push_back(&block.front());
      forget();
    }
    for (Operation &op : block) {
      if (ir::isSyncPoint(&op)) {
        forget();
        continue;
      }
      for (const Access &access : accessesOf(op)) {
        const Place place = placeOf(access, layout);
        const bool isUnknown =
            isFirst && ((isTogether(&block) && isPendingAt(block)) ||
                        (!access.isStore && isApartHazard(block, place)));
        const bool hazard = access.isStore
                                ? mayPrecedeAnotherLanes(loads, place)
                                : isUnknown || mayBeAnotherLanes(stores, place);
        if (hazard) {
          if (places.empty() || places.back() != &op)
            places.push_back(&op);
          forget();
        }
        (access.isStore ? stores : loads).add(place);
      }
    }
  }

  LLVM::LLVMFuncOp kernel;
  const UniformityAnalysis &uniformity;
  DataLayout layout;
  DominanceInfo dominance;
  MetStores metStores;
  llvm::SmallPtrSet<Block *, 16> pending, demand;
  SmallVector<Operation *> places;
};

} // namespace

SmallVector<Operation *> findLockstepHazards(LLVM::LLVMFuncOp kernel,
                                             const UniformityAnalysis &uniformity) {
  return Finder(kernel, uniformity).run();
}

} // namespace het::transforms
