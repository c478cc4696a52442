// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where lanes rely on running in lockstep. A store to shared memory is pending
// until the next sync point. A load is a hazard if a store is pending whose address may
// be another lane's: one from another block, one of this block with another origin, or
// with the same origin and another constant offset, where lanes are neighbours (the
// classic reduction and scan of a warp) and the accesses are not to a thread's own array.
//
// Where lanes have gone apart already, a load is a hazard if they have met since a store
// to another origin in the same object, or behind a store of their neighbours' places,
// but where one lane alone stores and loads (MetStores.h).
//
// The other way round, lanes that run one after the other in the order of their number
// must not store what a later lane has yet to load: a store is a hazard behind a load
// from a lower address (the scan's step), or, volatile, from any other, where its value
// was made of what others hold (UpdatesInPlace.h), and behind loads of one place for all
// lanes (PendingLoads.h). Nor may they store what a later lane stores first: a volatile
// store is a hazard behind one to a lower address (a scan's zeros below its sums).

#include "het/Transforms/LockstepHazards.h"
#include "MetStores.h"
#include "PendingLoads.h"
#include "UpdatesInPlace.h"

#include <set>

using namespace mlir;

namespace het::transforms {
namespace {

bool hasStore(ArrayRef<Access> accesses) {
  return llvm::any_of(accesses, [](const Access &access) { return access.isStore; });
}
bool hasLoad(ArrayRef<Access> accesses) {
  return llvm::any_of(accesses, [](const Access &access) { return !access.isStore; });
}

/// Accesses since the last sync point.
class PastAccesses {
public:
  void add(const Access &access) {
    auto [it, isNew] = offsets.try_emplace(access.origin);
    it->second.insert(access.offset());
    if (isNew)
      ++originCounts[objectOf(access)];
  }
  void clear() {
    offsets.clear();
    originCounts.clear();
  }
  /// Whether one has another origin and may lead to the same object.
  bool hasOtherOrigin(const Access &access) const {
    const Value object = objectOf(access);
    const unsigned count =
        object ? originCounts.lookup(object) + originCounts.lookup({}) : offsets.size();
    return count > offsets.count(access.origin);
  }
  /// Whether one has the same origin and another offset, less than `reach` away.
  bool hasOtherOffset(const Access &access, int64_t reach) const {
    if (hasLowerOffset(access, reach))
      return true;
    auto it = offsets.find(access.origin);
    if (it == offsets.end())
      return false;
    auto above = it->second.upper_bound(access.offset());
    return above != it->second.end() && *above - access.offset() < reach;
  }
  bool hasLowerOffset(const Access &access, int64_t reach) const {
    auto it = offsets.find(access.origin);
    if (it == offsets.end())
      return false;
    auto above = it->second.lower_bound(access.offset());
    return above != it->second.begin() && access.offset() - *std::prev(above) < reach;
  }

private:
  /// Null where the object is not known.
  static Value objectOf(const Access &access) {
    return access.isInObject ? access.address.base : Value();
  }

  DenseMap<unsigned, std::set<int64_t>> offsets; ///< From each origin.
  DenseMap<Value, unsigned> originCounts;        ///< Number of origins in each object.
};

/// Stores since the last sync point, and the volatile ones among them.
struct PendingStores {
  PastAccesses all, volatiles;

  void add(const Access &access) {
    all.add(access);
    if (access.isVolatile)
      volatiles.add(access);
  }
  void clear() {
    all.clear();
    volatiles.clear();
  }
};

constexpr int64_t anywhere = std::numeric_limits<int64_t>::max();

/// A load behind stores.
bool mayBeAnotherLanes(const PendingStores &stores, const Access &load) {
  return stores.all.hasOtherOrigin(load) ||
         (!load.isOwn && stores.all.hasOtherOffset(load, load.reach())) ||
         (load.isVolatile && stores.volatiles.hasOtherOffset(load, anywhere));
}

/// A volatile store behind one to a lower address: a later lane's would come over it.
bool isOverwritten(const PendingStores &stores, const Access &store) {
  return store.isVolatile && !store.isOwn &&
         stores.volatiles.hasLowerOffset(store, store.reach());
}

class Finder {
public:
  Finder(LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity)
      : kernel(kernel), uniformity(uniformity), dominance(kernel),
        loneBlocks(kernel, dominance), accesses(kernel, loneBlocks, uniformity),
        updates(accesses, loneBlocks, uniformity) {}

  SmallVector<Operation *> run() {
    spreadPending();
    spreadDemand();
    for (Block &block : kernel.getBody())
      if (isMeeting(block))
        meetings.insert(&block);
    metStores.emplace(kernel, accesses, loneBlocks, uniformity, dominance, meetings);
    pendingLoads.emplace(kernel, accesses, loneBlocks, meetings);
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
          else if (hasStore(accesses.of(op)))
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
      if (hasLoad(accesses.of(op)))
        return true;
    }
    return llvm::any_of(block.getSuccessors(),
                        [&](Block *s) { return demand.contains(s); });
  }

  /// Lanes that have gone apart and stored meet again in this block.
  bool isMeeting(Block &block) const {
    return isTogether(&block) && demand.contains(&block) && !block.isEntryBlock() &&
           llvm::any_of(block.getPredecessors(),
                        [&](Block *p) { return pending.contains(p) && !isTogether(p); });
  }

  /// Whether lanes that come to a block apart may load what others stored before it.
  bool isApartHazard(Block &block, const Access &load) {
    return !isTogether(&block) && (!load.isOwn || load.isUniform) &&
           metStores->mayReach(&block, load);
  }

  /// Whether a store may overwrite what a later lane has yet to load.
  bool mayPrecede(const Access &load, const Access &store) const {
    if (load.isVolatile && store.isVolatile && load.mayBeInObjectOf(store))
      return load.origin != store.origin || load.offset() < store.offset();
    if (!load.isUniform)
      return false;
    return updates.isOfOtherLane(store, load) ||
           (store.isUniform && store.origin == load.origin &&
            store.offset() == load.offset());
  }

  void scan(Block &block) {
    PendingStores stores;
    PastAccesses loads;
    SmallVector<PendingLoads::Load> othersLoads = pendingLoads->at(&block);
    bool isFirst = true; // no sync point yet
    auto forget = [&] {
      stores.clear();
      loads.clear();
      othersLoads.clear();
      isFirst = false;
    };
    auto isStoreHazard = [&](Operation &op, const Access &store) {
      return (!store.isOwn && loads.hasLowerOffset(store, store.reach())) ||
             updates.has(op) || isOverwritten(stores, store) ||
             llvm::any_of(othersLoads, [&](const PendingLoads::Load &load) {
               return !loneBlocks.haveBoth(load.block, &block) &&
                      mayPrecede(*load.access, store);
             });
    };
    if (meetings.contains(&block)) {
      places.push_back(&block.front());
      forget();
    }
    for (Operation &op : block) {
      if (ir::isSyncPoint(&op)) {
        forget();
        continue;
      }
      for (const Access &access : accesses.of(op)) {
        const bool isUnknown =
            isFirst && ((isTogether(&block) && isPendingAt(block)) ||
                        (!access.isStore && isApartHazard(block, access)));
        const bool hazard = access.isStore
                                ? isStoreHazard(op, access)
                                : isUnknown || mayBeAnotherLanes(stores, access);
        if (hazard) {
          if (places.empty() || places.back() != &op)
            places.push_back(&op);
          forget();
        }
        if (access.isStore)
          stores.add(access);
        else
          loads.add(access);
      }
      if (auto load = pendingLoads->of(op))
        othersLoads.push_back(*load);
    }
  }

  LLVM::LLVMFuncOp kernel;
  const UniformityAnalysis &uniformity;
  DominanceInfo dominance;
  LoneBlocks loneBlocks;
  SharedAccesses accesses;
  UpdatesInPlace updates;
  std::optional<MetStores> metStores;
  std::optional<PendingLoads> pendingLoads;
  llvm::SmallPtrSet<Block *, 16> pending, demand, meetings;
  SmallVector<Operation *> places;
};

} // namespace

SmallVector<Operation *> findLockstepHazards(LLVM::LLVMFuncOp kernel,
                                             const UniformityAnalysis &uniformity) {
  return Finder(kernel, uniformity).run();
}

} // namespace het::transforms
