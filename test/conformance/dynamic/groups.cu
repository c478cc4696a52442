// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Children with cooperative groups, barriers, shuffles, atomics and memory of the device's
// heap, which cudaMalloc and cudaFree in kernels allocate, too.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism; Cooperative Groups.
// FLAGS: -rdc=true

#include "Inputs/check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(int *data, int *out) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int sum = data[grid.thread_rank()];
  for (int step = 16; step; step /= 2)
    sum += tile.shfl_down(sum, step);
  __shared__ int parts[4];
  if (tile.thread_rank() == 0)
    parts[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0)
    out[block.group_index().x] = parts[0] + parts[1] + parts[2] + parts[3];
}

__global__ void total(int *parts, int count, int *out) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += parts[i];
  *out = sum;
  cudaFree(parts);
}

__global__ void parent(int *data, int blocks, int *out) {
  int *parts = nullptr;
  if (cudaMalloc(&parts, blocks * sizeof(int)) != cudaSuccess) {
    *out = -1;
    return;
  }
  sums<<<blocks, 128>>>(data, parts);
  total<<<1, 1>>>(parts, blocks, out);
}

int main() {
  const int blocks = 6;
  check::Array<int> data(blocks * 128), out(1);
  int wanted = 0;
  for (int i = 0; i < blocks * 128; ++i)
    wanted += data.host[i] = i * 37 % 1001;
  data.put();
  parent<<<1, 1>>>(data, blocks, out);
  CHECK_EQ(out.get()[0], wanted);
  return check::finish("dynamic/groups");
}
