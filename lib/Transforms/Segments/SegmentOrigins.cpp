// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backwards through block arguments that are the same on all ways, and through addresses
// that were made of distances (ObjectAddresses).

#include "SegmentOrigins.h"
#include "../Analysis/IncomingValue.h"
#include "../Analysis/ObjectAddresses.h"

using namespace mlir;

namespace het::transforms {

/// What a block argument may be, by the ways within the segment; false where a terminator
/// makes it.
bool SegmentOrigins::addIncoming(BlockArgument argument,
                                 SmallVectorImpl<Value> &values) const {
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
    if (!inside.contains(*it))
      continue;
    values.push_back(incomingValue(argument, it));
    if (!values.back())
      return false;
  }
  return true;
}

static Value withoutCast(Value address) {
  auto cast = address.getDefiningOp<LLVM::AddrSpaceCastOp>();
  return cast ? cast.getArg() : address;
}

/// Returns d where the value is (object + d) - object.
Value SegmentOrigins::throughAddress(Value distance) const {
  auto difference = distance.getDefiningOp<LLVM::SubOp>();
  if (!difference)
    return distance;
  auto to = difference.getLhs().getDefiningOp<LLVM::PtrToIntOp>();
  auto from = difference.getRhs().getDefiningOp<LLVM::PtrToIntOp>();
  if (!to || !from)
    return distance;
  auto address = originOf(to.getArg()).getDefiningOp<LLVM::GEPOp>();
  if (!address || !address.getElemType().isInteger(8) ||
      address.getRawConstantIndices().size() != 1 ||
      address.getDynamicIndices().size() != 1)
    return distance;
  Value index = address.getDynamicIndices().front();
  const bool isSame = index.getType() == distance.getType() &&
                      address.getBase().getType() == from.getArg().getType() &&
                      ObjectAddresses::areSame(withoutCast(address.getBase()),
                                               withoutCast(from.getArg()));
  return isSame ? originOf(index) : distance;
}

Value SegmentOrigins::originOf(Value value) const {
  auto [known, isNew] = origins.try_emplace(value, value);
  if (!isNew)
    return known->second;
  Value origin = findOrigin(value);
  return origins[value] = origin;
}

Value SegmentOrigins::findOrigin(Value value) const {
  constexpr unsigned limit = 64; // values; each of a point's values is asked for
  SmallVector<Value> work{value};
  llvm::SmallPtrSet<Value, 8> visited;
  Value origin;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    if (visited.size() > limit)
      return value;
    auto argument = dyn_cast<BlockArgument>(next);
    if (argument && argument.getOwner() != start &&
        inside.contains(argument.getOwner())) {
      if (!addIncoming(argument, work))
        return value;
      continue;
    }
    next = argument ? next : throughAddress(next);
    if (origin && origin != next)
      return value;
    origin = next;
  }
  return origin ? origin : value;
}

} // namespace het::transforms
