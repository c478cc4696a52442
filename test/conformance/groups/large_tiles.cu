// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of more than 32 threads: with memory for them in the block or without, they
// have sync, shuffles, votes, reductions and scans of their own; tiles of several
// sizes, tiles of tiles, and tiles that run apart from each other.
// CUDA C++ Programming Guide: Cooperative Groups, Thread Block Tile (sizes 64
// to 1024 with block_tile_memory).

#include "Inputs/check.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct Pair {
  double x;
  int y, z;
};
struct AddPairs {
  __device__ Pair operator()(Pair a, Pair b) const {
    return {a.x + b.x, a.y + b.y, a.z < b.z ? b.z : a.z};
  }
};

constexpr int columns = 5;

template <unsigned Size> __global__ void votes(int *out) {
  __shared__ cg::block_tile_memory<1024 / Size * Size> memory; // a type of its own
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  int t = block.thread_rank(), *to = out + t * columns;
  to[0] = tile.thread_rank() + (tile.num_threads() == tile.size() ? 0 : 5000);
  to[1] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  to[2] = tile.shfl(t, 5) * 10000 + tile.shfl(t, Size - 2);
  to[3] = (tile.any(t == 70) != 0) + 2 * (tile.all(t < 64) != 0) +
          4 * (tile.any(t == 9999) != 0) + 8 * (tile.all(t >= 0) != 0);
  to[4] = cg::reduce(tile, t, cg::plus<int>());
}

template <unsigned Size> void checkVotes(dim3 shape) {
  const int n = shape.x * shape.y * shape.z, size = Size;
  check::Array<int> out(n * columns);
  votes<Size><<<1, shape>>>(out);
  out.get();
  for (int t = 0; t < n; ++t) {
    int base = t / size * size;
    int any = base <= 70 && 70 < base + size, all = base + size <= 64;
    int want[columns] = {t - base, t / size * 100 + n / size,
                         (base + 5) * 10000 + base + size - 2,
                         any + 2 * all + 8,
                         base * size + size * (size - 1) / 2};
    for (int k = 0; k < columns; ++k)
      CHECK_AT(t * 100 + k, out.host[t * columns + k], want[k]);
  }
}

template <unsigned Size> __global__ void combinations(int *out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int t = threadIdx.x, *to = out + t * columns;
  to[0] = cg::reduce(tile, t ^ 21, cg::less<int>());
  Pair pair = cg::reduce(tile, Pair{t * 0.5, 1, t * 7 % 64}, AddPairs());
  to[1] = (int)(pair.x * 2) + pair.y + pair.z;
  to[2] = cg::inclusive_scan(tile, t);
  to[3] = cg::exclusive_scan(tile, t, cg::plus<int>());
  to[4] = cg::exclusive_scan(tile, t * 7 % 1000, cg::greater<int>());
}

template <unsigned Size> void checkCombinations(int n) {
  const int size = Size;
  check::Array<int> out(n * columns);
  combinations<Size><<<1, n>>>(out);
  out.get();
  for (int t = 0; t < n; ++t) {
    int base = t / size * size, sum = 0, below = 0, least = 1 << 30;
    int greatest = 0, greatestBelow = 0;
    for (int i = base; i < base + size; ++i) {
      sum += i, least = std::min(least, i ^ 21);
      below += i < t ? i : 0;
      greatest = std::max(greatest, i * 7 % 64);
      greatestBelow = std::max(greatestBelow, i < t ? i * 7 % 1000 : 0);
    }
    int want[columns] = {least, sum + size + greatest, below + t, below,
                         greatestBelow};
    for (int k = 0; k < columns; ++k)
      CHECK_AT(t * 100 + k, out.host[t * columns + k], want[k]);
  }
}

// Tiles that wait different numbers of times; memory is ordered among a tile.
template <int Size> __global__ void apart(int *out) {
  __shared__ int box[1024];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  int t = threadIdx.x, x = t, first = t / Size * Size;
  for (unsigned r = 0; r < 3 + tile.meta_group_rank() * 4; ++r) {
    box[t] = x;
    tile.sync();
    x = x * 2 + box[first + (t + 33) % Size];
    tile.sync();
  }
  out[t] = x;
}

template <int Size> void checkApart(int tiles) {
  check::Array<int> out(Size * tiles);
  apart<Size><<<1, Size * tiles>>>(out);
  out.get();
  for (int tile = 0; tile < tiles; ++tile) {
    std::vector<unsigned> x(Size), old;
    for (int t = 0; t < Size; ++t)
      x[t] = tile * Size + t;
    for (int r = 0; r < 3 + tile * 4; ++r) {
      old = x;
      for (int t = 0; t < Size; ++t)
        x[t] = old[t] * 2 + old[(t + 33) % Size];
    }
    for (int t = 0; t < Size; ++t)
      CHECK_AT(tile * Size + t, (unsigned)out.host[tile * Size + t], x[t]);
  }
}

// A tile of tiles, as a thread_group, and several sizes in turn.
__device__ __noinline__ int viaGroup(cg::thread_group group, int *box, int t) {
  int size = (int)group.size();
  group.sync();
  box[t] = t * 3;
  group.sync();
  return box[t / size * size + (size - 1 - (int)group.thread_rank())];
}
__global__ void nested(int *out) {
  __shared__ int box[256];
  cg::thread_block block = cg::this_thread_block();
  auto outer = cg::tiled_partition<256>(block);
  auto inner = cg::tiled_partition<64>(outer);
  auto small = cg::tiled_partition<8>(inner);
  int t = threadIdx.x, *to = out + t * 6;
  to[0] = inner.meta_group_rank() * 10 + inner.meta_group_size();
  to[1] = cg::reduce(inner, 1, cg::plus<int>()) +
          cg::reduce(outer, t, cg::plus<int>());
  to[2] = viaGroup(inner, box, t);
  outer.sync();
  to[3] = small.meta_group_rank() * 100 + small.meta_group_size();
  to[4] = cg::reduce(small, t, cg::plus<int>());
  cg::thread_block_tile<64> typed = inner;
  to[5] = cg::invoke_one_broadcast(typed, [=] { return t + 7; });
}

void checkNested() {
  check::Array<int> out(256 * 6);
  nested<<<1, 256>>>(out);
  out.get();
  for (int t = 0; t < 256; ++t) {
    int base = t / 64 * 64, part = t / 8 * 8;
    int want[6] = {t / 64 * 10 + 4,
                   64 + 255 * 128,
                   (base + 63 - t % 64) * 3,
                   t % 64 / 8 * 100 + 8,
                   part * 8 + 28,
                   base + 7};
    for (int k = 0; k < 6; ++k)
      CHECK_AT(t * 10 + k, out.host[t * 6 + k], want[k]);
  }
}

int main() {
  checkVotes<64>(256);
  checkVotes<64>(1024);
  checkVotes<128>(dim3(8, 16, 4));
  checkVotes<1024>(1024);
  checkCombinations<128>(512);
  checkApart<128>(4);
  checkApart<256>(3);
  checkApart<512>(2);
  checkNested();
  return check::finish("large_tiles");
}
