// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::reduce with plus, less, greater, bit_and, bit_or, bit_xor
// and a lambda, over tiles of each size and coalesced groups, several types.
// CUDA C++ Programming Guide: Cooperative Groups, reduce.

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <class Group, class T>
__device__ void each(const Group &g, T v, T *to) {
  to[0] = cg::reduce(g, v, cg::plus<T>());
  to[1] = cg::reduce(g, v, cg::less<T>());
  to[2] = cg::reduce(g, v, cg::greater<T>());
  to[3] = cg::reduce(g, v, [](T a, T b) { return a > b ? a : b; });
  if constexpr (std::is_integral<T>::value) {
    to[4] = cg::reduce(g, v, cg::bit_and<T>());
    to[5] = cg::reduce(g, v, cg::bit_or<T>());
    to[6] = cg::reduce(g, v, cg::bit_xor<T>());
  }
}
template <class T, unsigned size> __global__ void tiles(const T *in, T *out) {
  each(cg::tiled_partition<size>(cg::this_thread_block()), in[threadIdx.x],
       out + threadIdx.x * 7);
}
template <class T> __global__ void some(const T *in, T *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto g = cg::binary_partition(warp, threadIdx.x % 5 == 0);
  each(g, in[threadIdx.x], out + threadIdx.x * 7);
}

template <class T, class Member>
static void compare(const std::vector<T> &in, const std::vector<T> &out,
                    Member member) {
  for (int t = 0; t < 64; ++t) {
    T want[7] = {};
    bool first = true;
    for (int i = 0; i < 64; ++i) {
      if (!member(t, i))
        continue;
      T v = in[i];
      want[0] += v;
      want[1] = first || v < want[1] ? v : want[1];
      want[2] = want[3] = first || v > want[2] ? v : want[2];
      if constexpr (std::is_integral<T>::value) {
        want[4] = first ? v : want[4] & v;
        want[5] |= v;
        want[6] ^= v;
      }
      first = false;
    }
    for (int k = 0; k < 7; ++k)
      CHECK_AT(t * 10 + k, out[t * 7 + k], want[k]);
  }
}
template <class T, unsigned size>
static void testTile(const std::vector<T> &v) {
  check::Array<T> in(v), out(64 * 7);
  tiles<T, size><<<1, 64>>>((const T *)(T *)in, (T *)out);
  compare(v, out.get(),
          [](int t, int i) { return t / (int)size == i / (int)size; });
}
template <class T> static void test() {
  std::vector<T> v(64);
  for (int t = 0; t < 64; ++t) // sums of these are exact in each type
    v[t] = (T)(t * 29 % 61 - (std::is_signed<T>::value ? 20 : 0));
  testTile<T, 16>(v);
  if constexpr (std::is_same<T, int>::value)
    testTile<T, 1>(v), testTile<T, 2>(v), testTile<T, 8>(v), testTile<T, 32>(v);
  check::Array<T> in(v), out(64 * 7);
  some<T><<<1, 64>>>((const T *)(T *)in, (T *)out);
  compare(v, out.get(), [](int t, int i) {
    return t / 32 == i / 32 && (t % 5 == 0) == (i % 5 == 0);
  });
}

int main() {
  test<int>();
  test<unsigned long long>();
  test<double>();
  return check::finish("reduce");
}
