// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: tiles of 1, 2, 4, … 1024 consecutive threads. Those of at most
// a team (32 lanes) and larger ones are two implementations of one class.

#ifndef HET_COOPERATIVE_GROUPS_TILE_H
#define HET_COOPERATIVE_GROUPS_TILE_H

#include "coalesced.h"

namespace cooperative_groups {
namespace __v1 {

namespace __het_detail {

// Its size, and which of how many tiles of its parent it is.
template <unsigned int Size> class TilePlace {
  unsigned int metaRank;
  unsigned int metaSize;

public:
  HET_GROUP TilePlace(unsigned int rank, unsigned int count)
      : metaRank(rank), metaSize(count) {}
  HET_GROUP unsigned int meta_group_rank() const { return metaRank; }
  HET_GROUP unsigned int meta_group_size() const { return metaSize; }
  static HET_GROUP constexpr unsigned int size() { return Size; }
  static HET_GROUP constexpr unsigned int num_threads() { return Size; }
};

template <unsigned int Size> class SmallTile : public TilePlace<Size> {
public:
  using TilePlace<Size>::TilePlace;
  HET_GROUP unsigned int __het_mask() const {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << base();
  }

  HET_GROUP operator coalesced_group() const {
    return coalesced_group(__het_mask(), this->meta_group_rank(),
                           this->meta_group_size());
  }
  HET_GROUP operator thread_group() const {
    return thread_group(coalesced_group(__het_mask()));
  }

  HET_GROUP void sync() const { __syncwarp(__het_mask()); }
  static HET_GROUP unsigned int thread_rank() {
    return __het_detail::lane() & (Size - 1);
  }

  HET_GROUP int any(int predicate) const { return __any_sync(__het_mask(), predicate); }
  HET_GROUP int all(int predicate) const { return __all_sync(__het_mask(), predicate); }
  HET_GROUP unsigned int ballot(int predicate) const {
    return __ballot_sync(__het_mask(), predicate) >> base();
  }
  template <class T> HET_GROUP unsigned int match_any(T value) const {
    return __match_any_sync(__het_mask(), value) >> base();
  }
  template <class T> HET_GROUP unsigned int match_all(T value, int &predicate) const {
    return __match_all_sync(__het_mask(), value, &predicate) >> base();
  }

  template <class T> HET_GROUP T shfl(T value, int rank) const {
    unsigned int lanes = __het_mask();
    return __het_detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_sync(lanes, word, rank, Size); });
  }
  template <class T> HET_GROUP T shfl_down(T value, unsigned int by) const {
    unsigned int lanes = __het_mask();
    return __het_detail::shuffleWords(value, [=](unsigned int word) {
      return __shfl_down_sync(lanes, word, by, Size);
    });
  }
  template <class T> HET_GROUP T shfl_up(T value, unsigned int by) const {
    unsigned int lanes = __het_mask();
    return __het_detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_up_sync(lanes, word, by, Size); });
  }
  template <class T> HET_GROUP T shfl_xor(T value, unsigned int by) const {
    unsigned int lanes = __het_mask();
    return __het_detail::shuffleWords(value, [=](unsigned int word) {
      return __shfl_xor_sync(lanes, word, (int)by, Size);
    });
  }

private:
  static HET_GROUP unsigned int base() { return __het_detail::lane() & ~(Size - 1) & 31; }
};

// Its shuffle takes the same rank from all threads.
template <unsigned int Size> class LargeTile : public TilePlace<Size> {
public:
  using TilePlace<Size>::TilePlace;
  HET_GROUP operator thread_group() const { return thread_group(Size); }

  HET_GROUP void sync() const { tileBarrier(Size); }
  static HET_GROUP unsigned int thread_rank() { return threadInBlock() & (Size - 1); }
  HET_GROUP int any(int predicate) const {
    return combineTeams(Size, __any_sync(0xffffffffu, predicate) != 0,
                        [](bool a, bool b) { return a || b; });
  }
  HET_GROUP int all(int predicate) const {
    return combineTeams(Size, __all_sync(0xffffffffu, predicate) != 0,
                        [](bool a, bool b) { return a && b; });
  }
  template <class T> HET_GROUP T shfl(T value, unsigned int rank) const {
    return tileShuffle(Size, value, rank);
  }
};

template <unsigned int Size, bool isLarge = (Size > 32)> struct TileOf {
  using type = SmallTile<Size>;
};
template <unsigned int Size> struct TileOf<Size, true> {
  using type = LargeTile<Size>;
};

} // namespace __het_detail

template <unsigned int Size, class Parent = void>
class thread_block_tile : public __het_detail::TileOf<Size>::type {
  static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two, at most 1024");
  using Base = typename __het_detail::TileOf<Size>::type;

public:
  // Not CUDA's: tiles are made by tiled_partition.
  HET_GROUP thread_block_tile(unsigned int rank, unsigned int count)
      : Base(rank, count) {}
  template <class Other>
  HET_GROUP thread_block_tile(const thread_block_tile<Size, Other> &other)
      : Base(other.meta_group_rank(), other.meta_group_size()) {}
  HET_GROUP const Base &__het_base() const { return *this; }
};

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_TILE_H
