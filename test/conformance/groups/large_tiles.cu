// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOT-YET: tiles of more than 32 threads (block_tile_memory)
//
// Tiles of more than 32 threads: with memory for them in the block, they have
// sync, shuffles, votes and reductions of their own.
// CUDA C++ Programming Guide: Cooperative Groups, Thread Block Tile (sizes 64
// to 512 with block_tile_memory).

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void kernel(int *out) {
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  int t = threadIdx.x, *to = out + t * 5;
  to[0] = tile.thread_rank();
  to[1] = tile.meta_group_rank();
  to[2] = tile.shfl(t, 5);
  to[3] = tile.any(t == 70) != 0;
  to[4] = cg::reduce(tile, t, cg::plus<int>());
}

int main() {
  check::Array<int> out(256 * 5);
  kernel<<<1, 256>>>(out);
  out.get();
  for (int t = 0; t < 256; ++t) {
    int base = t / 64 * 64;
    int want[5] = {t % 64, t / 64, base + 5, t / 64 == 1, base * 64 + 2016};
    for (int k = 0; k < 5; ++k)
      CHECK_AT(t * 10 + k, out.host[t * 5 + k], want[k]);
  }
  return check::finish("large_tiles");
}
