// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::memcpy_async and wait, wait_prior: from global to shared
// memory, by blocks and tiles, in two stages, with sizes that do not divide.
// CUDA C++ Programming Guide: Cooperative Groups, memcpy_async.

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;
enum { Tile = 100 };

__global__ void stages(const int *in, int *out, int tiles) {
  __shared__ int box[2][Tile];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, box[0], in, sizeof(int) * Tile);
  for (int s = 0; s < tiles; ++s) {
    if (s + 1 < tiles) {
      cg::memcpy_async(block, box[(s + 1) % 2], in + (s + 1) * Tile,
                       sizeof(int) * Tile);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (int i = threadIdx.x; i < Tile; i += blockDim.x)
      out[s * Tile + i] = box[s % 2][Tile - 1 - i] + s;
    block.sync();
  }
}
__global__ void byTiles(const char *in, char *out) {
  __shared__ char box[4][64];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned g = tile.meta_group_rank();
  cg::memcpy_async(tile, box[g], in + g * 37, 37);
  cg::wait(tile);
  for (unsigned i = tile.thread_rank(); i < 37; i += 16)
    out[g * 37 + i] = box[g][36 - i];
}

int main() {
  const int tiles = 5;
  std::vector<int> values(tiles * Tile);
  for (int i = 0; i < tiles * Tile; ++i)
    values[i] = i * i;
  check::Array<int> in(values), out(tiles * Tile);
  stages<<<1, 64>>>(in, out, tiles);
  out.get();
  for (int i = 0; i < tiles * Tile; ++i)
    CHECK_AT(i, out.host[i],
             values[i / Tile * Tile + Tile - 1 - i % Tile] + i / Tile);
  std::vector<char> bytes(4 * 37);
  for (int i = 0; i < 4 * 37; ++i)
    bytes[i] = (char)(i * 3);
  check::Array<char> from(bytes), to(4 * 37);
  byTiles<<<1, 64>>>(from, to);
  to.get();
  for (int i = 0; i < 4 * 37; ++i)
    CHECK_AT(i, to.host[i], bytes[i / 37 * 37 + 36 - i % 37]);
  return check::finish("memcpy_async");
}
