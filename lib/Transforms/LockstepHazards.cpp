// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding where lanes rely on lockstep. A store to shared memory is pending until the
// next sync point. A load is a hazard if a store is pending whose address may be
// another lane's: one from another block, one of this block with another base, or with
// the same base and another constant offset, where lanes are neighbours (the classic
// reduction and scan of a warp) and the accesses are not to a thread's own array.

#include "LockstepHazards.h"

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

/// The pointer without constant offsets.
Value baseOf(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    auto gep = dyn_cast<LLVM::GEPOp>(op);
    if (!isa<LLVM::AddrSpaceCastOp>(op) &&
        !(gep && gep.getDynamicIndices().empty()))
      break;
    pointer = op->getOperand(0);
  }
  return pointer;
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

bool mayBeAnotherLanes(const Access &store, const Access &load) {
  if (store.pointer == load.pointer)
    return false;
  Value base = baseOf(store.pointer);
  if (base != baseOf(load.pointer) || (store.isVolatile && load.isVolatile))
    return true;
  auto gep = base.getDefiningOp<LLVM::GEPOp>();
  return gep && llvm::none_of(gep.getDynamicIndices(), hasStride);
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
    SmallVector<Access> stores;
    bool unknown = isTogether(&block) && isPendingAt(block);
    if (isMeeting(block) && !block.isEntryBlock()) {
      places.push_back(&block.front());
      unknown = false;
    }
    for (Operation &op : block) {
      if (ir::isSyncPoint(&op)) {
        stores.clear();
        unknown = false;
        continue;
      }
      auto access = accessOf(op);
      if (!access)
        continue;
      if (access->isStore) {
        stores.push_back(*access);
      } else if (unknown || llvm::any_of(stores, [&](const Access &store) {
                   return mayBeAnotherLanes(store, *access);
                 })) {
        places.push_back(&op);
        stores.clear();
        unknown = false;
      }
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
