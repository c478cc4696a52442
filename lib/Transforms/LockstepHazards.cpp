// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding where lanes rely on lockstep. A store to shared memory is pending until the
// next sync point. A load is a hazard if a store is pending whose address may be
// another lane's: one from another block, one of this block with another base, or with
// the same base and another constant offset, where lanes are neighbours (the classic
// reduction and scan of a warp) and the accesses are not to a thread's own array.
//
// The other way round, lanes that run one after the other in the order of their number
// must not store what a later lane has yet to load: a store is a hazard behind a load
// from a lower address (the scan's step), or, volatile, from any other.

#include "LockstepHazards.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace het::transforms {
namespace {

bool isShared(Value pointer) {
  while (true) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
    if (type && type.getAddressSpace() == ir::sharedSpace)
      return true;
    Operation *op = pointer.getDefiningOp();
    if (!isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
      return false;
    pointer = op->getOperand(0);
  }
}

/// A pointer, apart from its constant offset in bytes.
struct Place {
  Value base;
  int64_t offset = 0;
};

Place placeOf(Value pointer) {
  Place place{pointer};
  while (Operation *op = place.base.getDefiningOp()) {
    auto gep = dyn_cast<LLVM::GEPOp>(op);
    if (gep && gep.getDynamicIndices().empty() &&
        gep.getRawConstantIndices().size() == 1) {
      int64_t size = DataLayout::closest(op).getTypeSize(gep.getElemType());
      place.offset += size * gep.getRawConstantIndices().front();
    } else if (!isa<LLVM::AddrSpaceCastOp>(op)) {
      break;
    }
    place.base = op->getOperand(0);
  }
  return place;
}

/// The variable that a pointer points into, if that is known.
Operation *variableOf(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  while (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<LLVM::AddressOfOp>(op) ? op : nullptr;
}

bool areApart(Value a, Value b) {
  auto first = dyn_cast_or_null<LLVM::AddressOfOp>(variableOf(a));
  auto second = dyn_cast_or_null<LLVM::AddressOfOp>(variableOf(b));
  return first && second && first.getGlobalName() != second.getGlobalName();
}

struct Access {
  Value pointer;
  bool isStore, isVolatile;
};

std::optional<Access> accessOf(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isShared(load.getAddr()))
    return Access{load.getAddr(), false, load.getVolatile_()};
  if (auto store = dyn_cast<LLVM::StoreOp>(op);
      store && isShared(store.getAddr()))
    return Access{store.getAddr(), true, store.getVolatile_()};
  return std::nullopt;
}

/// Whether an index has a stride: `lane * n + …` is a thread's own array.
bool hasStride(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op)
    return false;
  if (isa<LLVM::MulOp, LLVM::ShlOp>(op))
    return true;
  if (isa<LLVM::AddOp, LLVM::SubOp, LLVM::OrOp>(op))
    return hasStride(op->getOperand(0)) || hasStride(op->getOperand(1));
  return isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op) &&
         hasStride(op->getOperand(0));
}

/// Whether places at `base` are a thread's own, each a stride from its neighbour's.
bool isOwnArray(Value base) {
  auto gep = base.getDefiningOp<LLVM::GEPOp>();
  return !gep || llvm::any_of(gep.getDynamicIndices(), hasStride);
}

/// A load behind a store.
bool mayBeAnotherLanes(const Access &store, const Access &load) {
  if (store.pointer == load.pointer || areApart(store.pointer, load.pointer))
    return false;
  Place to = placeOf(store.pointer), from = placeOf(load.pointer);
  if (to.base != from.base)
    return true;
  if (to.offset == from.offset)
    return false;
  return (store.isVolatile && load.isVolatile) || !isOwnArray(to.base);
}

/// A store behind a load.
bool mayPrecedeAnotherLanes(const Access &load, const Access &store) {
  if (store.pointer == load.pointer || areApart(store.pointer, load.pointer))
    return false;
  Place to = placeOf(store.pointer), from = placeOf(load.pointer);
  bool isVolatile = store.isVolatile && load.isVolatile;
  if (to.base != from.base)
    return isVolatile;
  return from.offset < to.offset && (isVolatile || !isOwnArray(to.base));
}

class Finder {
public:
  Finder(LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity)
      : kernel(kernel), uniformity(uniformity) {}

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
          else if (auto access = accessOf(op); access && access->isStore)
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
      if (auto access = accessOf(op); access && !access->isStore)
        return true;
    }
    return llvm::any_of(block.getSuccessors(),
                        [&](Block *s) { return demand.contains(s); });
  }

  /// Lanes that have gone apart and stored meet again in this block.
  bool isMeeting(Block &block) const {
    return isTogether(&block) && demand.contains(&block) &&
           llvm::any_of(block.getPredecessors(), [&](Block *p) {
             return pending.contains(p) && !isTogether(p);
           });
  }

  void scan(Block &block) {
    SmallVector<Access> stores, loads;
    bool unknown = isTogether(&block) && isPendingAt(block);
    auto forget = [&] {
      stores.clear();
      loads.clear();
      unknown = false;
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
      auto access = accessOf(op);
      if (!access)
        continue;
      bool hazard =
          access->isStore
              ? llvm::any_of(loads,
                             [&](const Access &load) {
                               return mayPrecedeAnotherLanes(load, *access);
                             })
              : unknown || llvm::any_of(stores, [&](const Access &store) {
                  return mayBeAnotherLanes(store, *access);
                });
      if (hazard) {
        places.push_back(&op);
        forget();
      }
      (access->isStore ? stores : loads).push_back(*access);
    }
  }

  LLVM::LLVMFuncOp kernel;
  const UniformityAnalysis &uniformity;
  llvm::SmallPtrSet<Block *, 16> pending, demand;
  SmallVector<Operation *> places;
};

} // namespace

SmallVector<Operation *>
findLockstepHazards(LLVM::LLVMFuncOp kernel,
                    const UniformityAnalysis &uniformity) {
  return Finder(kernel, uniformity).run();
}

} // namespace het::transforms
