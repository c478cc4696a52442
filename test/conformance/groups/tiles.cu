// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tiled_partition<1..32>: ranks, shuffles, votes and matches of each tile, and
// tiles of tiles.
// CUDA C++ Programming Guide: Cooperative Groups, Thread Block Tile.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
enum { Fields = 14 };

template <unsigned size> __global__ void kernel(int *out) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  int t = threadIdx.x, *to = out + t * Fields, all = 0;
  to[0] = tile.thread_rank();
  to[1] = tile.size() + 100 * tile.num_threads();
  to[2] = tile.meta_group_rank();
  to[3] = tile.meta_group_size();
  to[4] = tile.shfl(t * 3, (t * 5 + 1) % size);
  to[5] = tile.shfl_up(t * 3, 1);
  to[6] = tile.shfl_down(t * 3, 2);
  to[7] = size > 1 ? tile.shfl_xor(t * 3, 1) : t * 3;
  to[8] = tile.any(t % 11 == 3) != 0;
  to[9] = tile.all(t % 11 != 3) != 0;
  to[10] = (int)tile.ballot(t % 3 == 0);
  to[11] = (int)tile.match_any(t % 4);
  to[12] = (int)tile.match_all(t / 8, all);
  to[13] = all;
  tile.sync();
}

template <unsigned size> static void test() {
  const int n = 96;
  check::Array<int> out(n * Fields);
  kernel<size><<<1, n>>>(out);
  out.get();
  for (int t = 0; t < n; ++t) {
    int base = t / (int)size * (int)size, rank = t - base, s = size;
    unsigned ballot = 0, match = 0, same = 0, threes = 0, whole = 0;
    for (int i = 0; i < s; ++i) {
      unsigned bit = 1u << i;
      whole |= bit;
      ballot |= (base + i) % 3 == 0 ? bit : 0;
      match |= (base + i) % 4 == t % 4 ? bit : 0;
      same |= (base + i) / 8 == t / 8 ? bit : 0;
      threes |= (base + i) % 11 == 3 ? bit : 0;
    }
    int want[Fields] = {rank,
                        s * 101,
                        t / s,
                        n / s,
                        (base + (t * 5 + 1) % s) * 3,
                        (rank >= 1 ? t - 1 : t) * 3,
                        (rank + 2 < s ? t + 2 : t) * 3,
                        (s > 1 ? t ^ 1 : t) * 3,
                        threes != 0,
                        threes == 0,
                        (int)ballot,
                        (int)match,
                        same == whole ? (int)whole : 0,
                        same == whole};
    for (int k = 0; k < Fields; ++k)
      CHECK_AT((int)size * 100000 + t * 100 + k, out.host[t * Fields + k],
               want[k]);
  }
}

struct Wide { // shuffled as a whole
  double d;
  int i[3];
};
__global__ void nested(int *out, double *sums) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto eight = cg::tiled_partition<8>(warp);
  auto two = cg::tiled_partition<2>(eight);
  int t = threadIdx.x;
  out[t] = eight.meta_group_rank() * 1000 + two.meta_group_rank() * 100 +
           two.meta_group_size() * 10 + two.thread_rank();
  Wide mine = {t * 0.5, {t, t + 1, t + 2}};
  Wide got = eight.shfl(mine, 3);
  sums[t] = got.d + got.i[0] + got.i[1] + got.i[2];
}

int main() {
  test<1>(), test<2>(), test<4>(), test<8>(), test<16>(), test<32>();
  check::Array<int> out(64);
  check::Array<double> sums(64);
  nested<<<1, 64>>>(out, sums);
  out.get(), sums.get();
  for (int t = 0; t < 64; ++t) {
    CHECK_AT(t, out.host[t], t % 32 / 8 * 1000 + t % 8 / 2 * 100 + 40 + t % 2);
    int from = t / 8 * 8 + 3;
    CHECK_AT(t, sums.host[t], from * 3.5 + 3);
  }
  return check::finish("tiles");
}
