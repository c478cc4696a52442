// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: lanes of one team named by a mask, and the generic group.

#ifndef HET_COOPERATIVE_GROUPS_COALESCED_H
#define HET_COOPERATIVE_GROUPS_COALESCED_H

#include "block.h"

namespace cooperative_groups {
namespace __v1 {

class coalesced_group {
  unsigned int mask;
  unsigned int metaRank = 0;
  unsigned int metaSize = 1;

public:
  // Not CUDA's: groups are made by coalesced_threads and the partitions.
  explicit HET_GROUP coalesced_group(unsigned int lanes, unsigned int rank = 0,
                                     unsigned int count = 1)
      : mask(lanes), metaRank(rank), metaSize(count) {}
  HET_GROUP unsigned int __het_mask() const { return mask; }

  HET_GROUP void sync() const { __syncwarp(mask); }
  HET_GROUP unsigned int size() const { return (unsigned int)__builtin_popcount(mask); }
  HET_GROUP unsigned int num_threads() const { return size(); }
  HET_GROUP unsigned int thread_rank() const {
    return (unsigned int)__builtin_popcount(mask & __het_detail::lanesBelow());
  }
  HET_GROUP unsigned int meta_group_rank() const { return metaRank; }
  HET_GROUP unsigned int meta_group_size() const { return metaSize; }

  HET_GROUP int any(int predicate) const { return __any_sync(mask, predicate); }
  HET_GROUP int all(int predicate) const { return __all_sync(mask, predicate); }
  HET_GROUP unsigned int ballot(int predicate) const {
    return __het_detail::pack(__ballot_sync(mask, predicate), mask);
  }
  template <class T> HET_GROUP unsigned int match_any(T value) const {
    return __het_detail::pack(__match_any_sync(mask, value), mask);
  }
  template <class T> HET_GROUP unsigned int match_all(T value, int &predicate) const {
    return __het_detail::pack(__match_all_sync(mask, value, &predicate), mask);
  }

  template <class T> HET_GROUP T shfl(T value, unsigned int rank) const {
    return fromLane(value, __het_detail::member(mask, rank % size()));
  }
  // A lane without a partner gets its own value back.
  template <class T> HET_GROUP T shfl_down(T value, unsigned int by) const {
    unsigned int to = thread_rank() + by;
    return fromLane(value,
                    to < size() ? __het_detail::member(mask, to) : __het_detail::lane());
  }
  template <class T> HET_GROUP T shfl_up(T value, unsigned int by) const {
    unsigned int rank = thread_rank();
    return fromLane(value, rank >= by ? __het_detail::member(mask, rank - by)
                                      : __het_detail::lane());
  }
  template <class T> HET_GROUP T shfl_xor(T value, unsigned int by) const {
    unsigned int to = thread_rank() ^ by;
    return fromLane(value,
                    to < size() ? __het_detail::member(mask, to) : __het_detail::lane());
  }

private:
  template <class T> HET_GROUP T fromLane(T value, unsigned int lane) const {
    unsigned int lanes = mask;
    return __het_detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_sync(lanes, word, (int)lane); });
  }
};

HET_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Any group, known at run time.
class thread_group {
  enum Kind { Lanes, Tile, Block, Grid } kind;
  unsigned int mask; // of a large tile: its size

public:
  HET_GROUP thread_group(const thread_block &) : kind(Block), mask(0) {}
  HET_GROUP thread_group(const grid_group &) : kind(Grid), mask(0) {}
  HET_GROUP thread_group(const coalesced_group &g) : kind(Lanes), mask(g.__het_mask()) {}
  // Not CUDA's: the large tile of the calling thread.
  explicit HET_GROUP thread_group(unsigned int tileSize) : kind(Tile), mask(tileSize) {}

  HET_GROUP bool __het_is_lanes() const { return kind == Lanes; }
  HET_GROUP unsigned int __het_mask() const { return mask; }
  HET_GROUP void sync() const {
    if (kind == Lanes)
      __syncwarp(mask);
    else if (kind == Tile)
      __het_detail::tileBarrier(mask);
    else if (kind == Block)
      __syncthreads();
    else
      __het_grid_barrier();
  }
  HET_GROUP unsigned long long size() const {
    return kind == Lanes   ? coalesced_group(mask).size()
           : kind == Tile  ? mask
           : kind == Block ? thread_block::size()
                           : grid_group::size();
  }
  HET_GROUP unsigned long long num_threads() const { return size(); }
  HET_GROUP unsigned long long thread_rank() const {
    return kind == Lanes   ? coalesced_group(mask).thread_rank()
           : kind == Tile  ? __het_detail::threadInBlock() % mask
           : kind == Block ? thread_block::thread_rank()
                           : grid_group::thread_rank();
  }
};

template <class Group> HET_GROUP void sync(const Group &group) { group.sync(); }
template <class Group>
HET_GROUP auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
HET_GROUP auto group_size(const Group &group) -> decltype(group.size()) {
  return group.size();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_COALESCED_H
