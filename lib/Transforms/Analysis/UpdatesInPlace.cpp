// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a stored value back to the loads that it comes from.

#include "UpdatesInPlace.h"
#include "IncomingValue.h"
#include "het/IR/Module.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

using namespace het;
using namespace het::transforms;

/// Values of which one is made that are looked at.
constexpr size_t mostValues = 64;

/// The loads of shared memory of which a value is made, also by several ways.
SmallVector<Operation *> UpdatesInPlace::sourcesOf(Value value) const {
  SmallVector<Operation *> sources;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size() && i < mostValues; ++i) {
    if (auto argument = dyn_cast<BlockArgument>(values[i])) {
      Block *block = argument.getOwner();
      for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it)
        if (Value incoming = incomingValue(argument, it))
          values.insert(incoming);
      continue;
    }
    Operation *op = values[i].getDefiningOp();
    if (isa<LLVM::LoadOp>(op) && !accesses.of(*op).empty())
      sources.push_back(op);
    else if (isMemoryEffectFree(op))
      values.insert(op->operand_begin(), op->operand_end());
  }
  return sources;
}

static bool hasSyncPoint(Block::iterator from, Block::iterator to) {
  return std::any_of(from, to, [](Operation &op) { return ir::isSyncPoint(&op); });
}

/// Whether a way without sync points leads from one operation to a later one.
static bool isReached(Operation *to, Operation *from) {
  Block *block = to->getBlock(), *first = from->getBlock();
  if (block == first && from->isBeforeInBlock(to))
    return !hasSyncPoint(from->getIterator(), to->getIterator());
  if (hasSyncPoint(from->getIterator(), first->end()) ||
      hasSyncPoint(block->begin(), to->getIterator()))
    return false;
  llvm::SetVector<Block *> ways;
  ways.insert(first->succ_begin(), first->succ_end());
  for (size_t i = 0; i < ways.size(); ++i) {
    if (ways[i] == block)
      return true;
    if (!hasSyncPoint(ways[i]->begin(), ways[i]->end()))
      ways.insert(ways[i]->succ_begin(), ways[i]->succ_end());
  }
  return false;
}

/// Whether a term is the lane's partner, `lane ^ n`: two lanes share two places.
static bool isPartner(Value term, Value lane) {
  auto exchange = term.getDefiningOp<LLVM::XOrOp>();
  return exchange && llvm::is_contained(exchange->getOperands(), lane);
}

/// Whether a term counts up from the lane's number: `for (i = lane; …; i += n)`.
static bool startsAt(Value term, Value lane) {
  auto argument = dyn_cast<BlockArgument>(term);
  if (!argument)
    return false;
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it)
    if (Value start = incomingValue(argument, it);
        start && LinearAddress::ofIndex(start).factorOf(lane) != 0)
      return true;
  return false;
}

bool UpdatesInPlace::isOfOtherLane(const Access &store, const Access &load) const {
  if (!store.isInObject || !store.lane || !load.isInObject ||
      load.address.base != store.address.base ||
      std::abs(store.address.offset - load.address.offset) >= store.reach())
    return false;
  for (auto [value, factor] : store.address.terms)
    if (value != store.lane && load.address.factorOf(value) != factor)
      return false; // of another array in the same memory
  bool isOther = load.address.factorOf(store.lane) != store.address.factorOf(store.lane);
  for (auto [value, factor] : load.address.terms) {
    if (store.address.factorOf(value) == factor)
      continue;
    if (isPartner(value, store.lane) || startsAt(value, store.lane))
      return false;
    isOther |= factor == -store.stride && uniformity.valueLevel(value) <= ir::Level::Team;
  }
  return isOther;
}

bool UpdatesInPlace::has(Operation &op) const {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  const ArrayRef<Access> places = accesses.of(op);
  if (!store || places.empty())
    return false;
  return llvm::any_of(sourcesOf(store.getValue()), [&](Operation *load) {
    return isOfOtherLane(places.front(), accesses.of(*load).front()) &&
           !loneBlocks.haveBoth(load->getBlock(), store->getBlock()) &&
           isReached(store, load);
  });
}
