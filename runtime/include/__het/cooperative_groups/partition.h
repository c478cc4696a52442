// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: how groups are cut into smaller ones.

#ifndef HET_COOPERATIVE_GROUPS_PARTITION_H
#define HET_COOPERATIVE_GROUPS_PARTITION_H

#include "tile.h"

namespace cooperative_groups {
namespace __v1 {

// Tiles of a size known at compile time
template <unsigned int Size>
HET_GROUP thread_block_tile<Size, thread_block>
tiled_partition(const thread_block &block) {
  if (Size > 32)
    __het_detail::prepareTiles();
  return thread_block_tile<Size, thread_block>(block.thread_rank() / Size,
                                               (block.size() + Size - 1) / Size);
}
template <unsigned int Size, unsigned int ParentSize, class Parent>
HET_GROUP thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>
tiled_partition(const thread_block_tile<ParentSize, Parent> &tile) {
  static_assert(Size <= ParentSize, "a tile is not larger than its parent");
  return thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>(
      tile.thread_rank() / Size, ParentSize / Size);
}
template <unsigned int Size>
HET_GROUP thread_block_tile<Size> tiled_partition(const thread_group &group) {
  static_assert(Size <= 32, "larger tiles are made of a block or a tile");
  unsigned int rank = (unsigned int)group.thread_rank();
  unsigned int size = (unsigned int)group.size();
  return thread_block_tile<Size>(rank / Size, (size + Size - 1) / Size);
}

// The calling thread alone
HET_GROUP thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

// Tiles of a size known at run time, at most a team
HET_GROUP coalesced_group tiled_partition(const coalesced_group &group,
                                          unsigned int size) {
  if (group.size() <= size)
    return group;
  unsigned int rank = group.thread_rank(), mask = 0;
  for (unsigned int i = rank / size * size, n = 0; n < size && i < group.size(); ++i, ++n)
    mask |= 1u << __het_detail::member(group.__het_mask(), i);
  return coalesced_group(mask, rank / size, (group.size() + size - 1) / size);
}
HET_GROUP coalesced_group tiled_partition(const thread_block &block, unsigned int size) {
  // The block's last tile may have fewer threads.
  unsigned int left = block.size() - block.thread_rank() / size * size;
  unsigned int lanes = 0xffffffffu >> (32 - (left < size ? left : size));
  unsigned int mask = lanes << __het_detail::lane() / size * size;
  return coalesced_group(mask, block.thread_rank() / size,
                         (block.size() + size - 1) / size);
}
HET_GROUP coalesced_group tiled_partition(const thread_group &group, unsigned int size) {
  return group.__het_is_lanes()
             ? tiled_partition(coalesced_group(group.__het_mask()), size)
             : tiled_partition(this_thread_block(), size);
}

// By a predicate, and by a label that each lane brings: an integer or a pointer. Where
// all lanes agree on a predicate there is one part; the parts of a label are counted by
// their first lanes.
template <class Group>
HET_GROUP coalesced_group binary_partition(const Group &group, bool predicate) {
  unsigned int mask = group.__het_mask();
  unsigned int with = __ballot_sync(mask, predicate) & mask;
  if (with == 0 || with == mask)
    return coalesced_group(mask);
  return coalesced_group(predicate ? with : mask & ~with, predicate, 2);
}
template <class Group, class Label>
HET_GROUP coalesced_group labeled_partition(const Group &group, Label label) {
  unsigned int mask = group.__het_mask();
  unsigned int part = __match_any_sync(mask, label) & mask;
  unsigned int first = part & -part;
  unsigned int firsts = __ballot_sync(mask, first == 1u << __het_detail::lane()) & mask;
  return coalesced_group(part, (unsigned int)__builtin_popcount(firsts & (first - 1)),
                         (unsigned int)__builtin_popcount(firsts));
}
template <class Group>
HET_GROUP coalesced_group labeled_partition(const Group &group, bool label) {
  return binary_partition(group, label);
}
template <class Group, class T>
HET_GROUP coalesced_group labeled_partition(const Group &group, T *label) {
  return labeled_partition(group, (unsigned long long)label);
}
// Programs may say how large the tile is.
template <unsigned int Size, class Parent>
HET_GROUP coalesced_group binary_partition(const thread_block_tile<Size, Parent> &tile,
                                           bool predicate) {
  return binary_partition<thread_block_tile<Size, Parent>>(tile, predicate);
}
template <unsigned int Size, class Parent, class Label>
HET_GROUP coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &tile,
                                            Label label) {
  return labeled_partition<thread_block_tile<Size, Parent>>(tile, label);
}
template <unsigned int Size, class Parent>
HET_GROUP coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &tile,
                                            bool label) {
  return binary_partition(tile, label);
}
template <unsigned int Size, class Parent, class T>
HET_GROUP coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &tile,
                                            T *label) {
  return labeled_partition(tile, (unsigned long long)label);
}

// One thread of the group runs it.
template <class Group, class Function, class... Args>
HET_GROUP void invoke_one(const Group &group, Function &&function, Args &&...args) {
  if (group.thread_rank() == 0)
    function(static_cast<Args &&>(args)...);
}
// And gives its result to all of them.
template <class Group, class Function, class... Args>
HET_GROUP auto invoke_one_broadcast(const Group &group, Function &&function,
                                    Args &&...args)
    -> decltype(function(static_cast<Args &&>(args)...)) {
  decltype(function(static_cast<Args &&>(args)...)) result{};
  if (group.thread_rank() == 0)
    result = function(static_cast<Args &&>(args)...);
  return group.shfl(result, 0);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_PARTITION_H
