// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where lanes rely on running in lockstep. A store to shared memory is pending
// until the next sync point. A load is a hazard if a store is pending whose address may
// be another lane's: one from another block, one of this block with another base, or with
// the same base and another constant offset, where lanes are neighbours (the classic
// reduction and scan of a warp) and the accesses are not to a thread's own array.
//
// The other way round, lanes that run one after the other in the order of their number
// must not store what a later lane has yet to load: a store is a hazard behind a load
// from a lower address (the scan's step), or, volatile, from any other.

#include "het/Transforms/LockstepHazards.h"
#include "IncomingValue.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// Whether a pointer may be made of a shared one, also where several ways lead to it.
bool isShared(Value pointer) {
  llvm::SetVector<Value> values;
  values.insert(pointer);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    auto type = dyn_cast_or_null<LLVM::LLVMPointerType>(value ? value.getType() : Type());
    if (!type)
      continue;
    if (type.getAddressSpace() == ir::sharedSpace)
      return true;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::SelectOp>(op)) {
      values.insert(op->operand_begin(), op->operand_end());
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      Block *block = argument.getOwner();
      for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it)
        values.insert(incomingValue(argument, it));
    }
  }
  return false;
}

/// The variable that a pointer points into, if that is known.
Operation *variableOf(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  while (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<LLVM::AddressOfOp>(op) ? op : nullptr;
}

struct Access {
  Value pointer;
  bool isStore, isVolatile;
};

std::optional<Access> accessOf(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isShared(load.getAddr()))
    return Access{load.getAddr(), false, load.getVolatile_()};
  if (auto store = dyn_cast<LLVM::StoreOp>(op); store && isShared(store.getAddr()))
    return Access{store.getAddr(), true, store.getVolatile_()};
  return std::nullopt;
}

/// Whether an index has a stride: `lane * n + …` is a thread's own array.
bool hasStride(Value index) {
  llvm::SetVector<Value> terms;
  terms.insert(index);
  for (size_t i = 0; i < terms.size(); ++i) {
    Operation *op = terms[i].getDefiningOp();
    if (isa_and_nonnull<LLVM::MulOp, LLVM::ShlOp>(op))
      return true;
    if (isa_and_nonnull<LLVM::AddOp, LLVM::SubOp, LLVM::OrOp, LLVM::SExtOp, LLVM::ZExtOp,
                        LLVM::TruncOp>(op))
      terms.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Whether places at `base` are a thread's own, each a stride from its neighbour's.
bool isOwnArray(Value base) {
  auto gep = base.getDefiningOp<LLVM::GEPOp>();
  return !gep || llvm::any_of(gep.getDynamicIndices(), hasStride);
}

/// Where an access leads: a base, and a constant distance from it in bytes.
struct Place {
  Value base;
  int64_t offset = 0;
  Operation *variable = nullptr; ///< Variable that the base points into, if it is known.
  bool isOwn = false;            ///< Whether it is in a thread's own array.
  bool isVolatile = false;
};

/// Accesses since the last sync point, asked for all at once: however many there are, a
/// further one is compared with the range of those from each base.
class Accesses {
public:
  void add(const Place &place) {
    auto [it, isNew] = ranges.try_emplace(place.base, Range{place.offset, place.offset});
    if (isNew)
      ++baseCounts[nameOf(place)];
    it->second.least = std::min(it->second.least, place.offset);
    it->second.most = std::max(it->second.most, place.offset);
  }
  void clear() {
    ranges.clear();
    baseCounts.clear();
  }
  /// Whether one has another base that may lead to the same object.
  bool hasOtherBase(const Place &place) const {
    const StringAttr name = nameOf(place);
    const unsigned count =
        name ? baseCounts.lookup(name) + baseCounts.lookup({}) : ranges.size();
    return count > ranges.count(place.base);
  }
  /// Whether one has the same base and another offset.
  bool hasOtherOffset(const Place &place) const {
    auto it = ranges.find(place.base);
    return it != ranges.end() &&
           (it->second.least != place.offset || it->second.most != place.offset);
  }
  bool hasLowerOffset(const Place &place) const {
    auto it = ranges.find(place.base);
    return it != ranges.end() && it->second.least < place.offset;
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

  DenseMap<Value, Range> ranges;             ///< From each base.
  DenseMap<StringAttr, unsigned> baseCounts; ///< Number of bases in each variable.
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

/// A load behind stores.
bool mayBeAnotherLanes(const Pending &stores, const Place &load) {
  return stores.all.hasOtherBase(load) ||
         (!load.isOwn && stores.all.hasOtherOffset(load)) ||
         (load.isVolatile && stores.volatiles.hasOtherOffset(load));
}

/// A store behind loads.
bool mayPrecedeAnotherLanes(const Pending &loads, const Place &store) {
  return (!store.isOwn && loads.all.hasLowerOffset(store)) ||
         (store.isVolatile &&
          (loads.volatiles.hasOtherBase(store) || loads.volatiles.hasLowerOffset(store)));
}

class Finder {
public:
  Finder(LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity)
      : kernel(kernel), uniformity(uniformity), layout(DataLayout::closest(kernel)) {}

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
           llvm::any_of(block.getPredecessors(),
                        [&](Block *p) { return pending.contains(p) && !isTogether(p); });
  }

  Place placeOf(const Access &access) const {
    Place place{access.pointer};
    place.isVolatile = access.isVolatile;
    while (Operation *op = place.base.getDefiningOp()) {
      auto gep = dyn_cast<LLVM::GEPOp>(op);
      if (gep && gep.getDynamicIndices().empty() &&
          gep.getRawConstantIndices().size() == 1) {
        int64_t size = layout.getTypeSize(gep.getElemType());
        place.offset += size * gep.getRawConstantIndices().front();
      } else if (!isa<LLVM::AddrSpaceCastOp>(op)) {
        break;
      }
      place.base = op->getOperand(0);
    }
    place.variable = variableOf(place.base);
    place.isOwn = isOwnArray(place.base);
    return place;
  }

  void scan(Block &block) {
    Pending stores, loads;
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
      const Place place = placeOf(*access);
      bool hazard = access->isStore ? mayPrecedeAnotherLanes(loads, place)
                                    : unknown || mayBeAnotherLanes(stores, place);
      if (hazard) {
        places.push_back(&op);
        forget();
      }
      (access->isStore ? stores : loads).add(place);
    }
  }

  LLVM::LLVMFuncOp kernel;
  const UniformityAnalysis &uniformity;
  DataLayout layout;
  llvm::SmallPtrSet<Block *, 16> pending, demand;
  SmallVector<Operation *> places;
};

} // namespace

SmallVector<Operation *> findLockstepHazards(LLVM::LLVMFuncOp kernel,
                                             const UniformityAnalysis &uniformity) {
  return Finder(kernel, uniformity).run();
}

} // namespace het::transforms
