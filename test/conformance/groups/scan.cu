// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::inclusive_scan and exclusive_scan, with the default and
// with given operators, over tiles and coalesced groups.
// CUDA C++ Programming Guide: Cooperative Groups, inclusive_scan.

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct Affine { // composition is associative, not commutative
  unsigned a, b;
};

template <class Group> __device__ void scans(const Group &g, int v, int *to) {
  to[0] = cg::inclusive_scan(g, v);
  to[1] = cg::exclusive_scan(g, v);
  to[2] = cg::inclusive_scan(g, v, cg::greater<int>());
  to[3] = cg::inclusive_scan(g, v, cg::bit_xor<int>());
  Affine f = {(unsigned)v | 1, (unsigned)v * 3};
  f = cg::inclusive_scan(g, f, [](Affine x, Affine y) {
    return Affine{x.a * y.a, x.b * y.a + y.b};
  });
  to[4] = (int)f.a, to[5] = (int)f.b;
}
template <unsigned size> __global__ void tiles(const int *in, int *out) {
  scans(cg::tiled_partition<size>(cg::this_thread_block()), in[threadIdx.x],
        out + threadIdx.x * 6);
}
__global__ void some(const int *in, int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  scans(cg::binary_partition(warp, threadIdx.x % 3 == 0), in[threadIdx.x],
        out + threadIdx.x * 6);
}

template <class Member>
static void compare(const std::vector<int> &in, const std::vector<int> &out,
                    Member member) {
  for (int t = 0; t < 64; ++t) {
    int sum = 0, before = 0, most = -1000, odd = 0;
    unsigned a = 1, b = 0;
    for (int i = 0; i <= t; ++i) {
      if (!member(t, i))
        continue;
      before = sum;
      sum += in[i];
      most = in[i] > most ? in[i] : most;
      odd ^= in[i];
      unsigned ya = (unsigned)in[i] | 1, yb = (unsigned)in[i] * 3;
      b = b * ya + yb;
      a *= ya;
    }
    int want[6] = {sum, before, most, odd, (int)a, (int)b};
    for (int k = 0; k < 6; ++k)
      CHECK_AT(t * 10 + k, out[t * 6 + k], want[k]);
  }
}
template <unsigned size> static void test(const std::vector<int> &v) {
  check::Array<int> in(v), out(64 * 6);
  tiles<size><<<1, 64>>>(in, out);
  compare(v, out.get(),
          [](int t, int i) { return t / (int)size == i / (int)size; });
}

int main() {
  std::vector<int> v(64);
  for (int t = 0; t < 64; ++t)
    v[t] = t * 37 % 41 - 17;
  test<1>(v), test<2>(v), test<8>(v), test<16>(v), test<32>(v);
  check::Array<int> in(v), out(64 * 6);
  some<<<1, 64>>>(in, out);
  compare(v, out.get(), [](int t, int i) {
    return t / 32 == i / 32 && (t % 3 == 0) == (i % 3 == 0);
  });
  return check::finish("scan");
}
