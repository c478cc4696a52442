// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: reductions, and the operators that they and scans take.

#ifndef HET_COOPERATIVE_GROUPS_REDUCE_H
#define HET_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(__CUDACC__)
namespace cooperative_groups {
namespace __v1 {

template <class T> struct plus {
  HET_GROUP T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  HET_GROUP T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  HET_GROUP T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  HET_GROUP T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  HET_GROUP T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  HET_GROUP T operator()(T a, T b) const { return a ^ b; }
};

namespace __het_detail {
// A team or a part of it reduces by a butterfly; all lanes get the result.
template <unsigned int Size, class T, class Operator>
HET_GROUP T reduceLanes(const SmallTile<Size> &tile, T value, Operator op) {
#pragma unroll
  for (unsigned int by = Size / 2; by > 0; by /= 2)
    value = op(value, tile.shfl_xor(value, by));
  return value;
}
template <unsigned int Size, class T, class Operator>
HET_GROUP T reduceTile(const SmallTile<Size> &tile, T value, Operator op) {
  return reduceLanes(tile, value, op);
}
template <unsigned int Size, class T, class Operator>
HET_GROUP T reduceTile(const LargeTile<Size> &, T value, Operator op) {
  return combineTeams(Size, reduceLanes(SmallTile<32>(0, 1), value, op), op);
}
} // namespace __het_detail

template <unsigned int Size, class Parent, class T, class Operator>
HET_GROUP T reduce(const thread_block_tile<Size, Parent> &group, T value, Operator op) {
  return __het_detail::reduceTile(group.__het_base(), value, op);
}

// Other lanes reduce by a tree over their ranks, whose root sends the result.
template <class T, class Operator>
HET_GROUP T reduce(const coalesced_group &group, T value, Operator op) {
  unsigned int rank = group.thread_rank(), size = group.size();
  for (unsigned int by = 1; by < size; by *= 2) {
    T other = group.shfl_down(value, by);
    if (rank % (2 * by) == 0 && rank + by < size)
      value = op(value, other);
  }
  return group.shfl(value, 0);
}

namespace __het_detail {
// Atomically combines what is at `atomic` with `value`.
template <class Atomic, class T, class Operator>
HET_GROUP void update(Atomic &atomic, T value, Operator op) {
  auto old = atomic.load();
  while (!atomic.compare_exchange_weak(old, op(old, value)))
    ;
}
template <class Atomic, class T, class U>
HET_GROUP void update(Atomic &atomic, T value, plus<U>) {
  atomic.fetch_add(value);
}
} // namespace __het_detail

// The result goes to a cuda::atomic or a reference to one, from one of the lanes.
template <class Group, class Atomic, class T, class Operator>
HET_GROUP void reduce_update_async(const Group &group, Atomic &atomic, T value,
                                   Operator op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0)
    __het_detail::update(atomic, result, op);
}
template <class Group, class Atomic, class T, class Operator>
HET_GROUP void reduce_store_async(const Group &group, Atomic &atomic, T value,
                                  Operator op) {
  const T result = reduce(group, value, op);
  if (group.thread_rank() == 0)
    atomic.store(result);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // __CUDACC__
#endif // HET_COOPERATIVE_GROUPS_REDUCE_H
