// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a block is in its cluster and the cluster in the grid, for clusters of 1, 2, 4 and
// 8 blocks in one to three dimensions, by groups, built-in functions and registers.
// CUDA C++ Programming Guide: Thread Block Clusters; Cooperative Groups, Cluster Group.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int words = 24;

__device__ void write3(unsigned *&to, dim3 value) {
  *to++ = value.x;
  *to++ = value.y;
  *to++ = value.z;
}

__global__ void describe(unsigned *out) {
  cg::cluster_group cluster = cg::this_cluster();
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned *to = out + block * words;
  if (cluster.thread_rank() != cluster.block_rank() * blockDim.x + threadIdx.x)
    out[0] = 99;
  if (threadIdx.x)
    return;
  write3(to, cluster.block_index());
  write3(to, cluster.dim_blocks());
  write3(to, __clusterIdx());
  write3(to, __clusterGridDimInClusters());
  write3(to, __clusterRelativeBlockIdx());
  *to++ = cluster.block_rank();
  *to++ = cluster.num_blocks();
  *to++ = cluster.num_threads();
  *to++ = __clusterDimIsSpecified();
  unsigned rank, size, isGiven;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }"
      : "=r"(isGiven));
  *to++ = rank;
  *to++ = size;
  *to++ = isGiven;
}

static cudaError_t launch(dim3 grid, dim3 size, bool isGiven, unsigned *out) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size.x;
  attribute.val.clusterDim.y = size.y;
  attribute.val.clusterDim.z = size.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(40);
  config.attrs = &attribute;
  config.numAttrs = isGiven;
  return cudaLaunchKernelEx(&config, describe, out);
}

static void test(dim3 grid, dim3 size, bool isGiven = true) {
  unsigned blocks = grid.x * grid.y * grid.z;
  check::Array<unsigned> out(blocks * words);
  CUDA(launch(grid, size, isGiven, out));
  out.get();
  for (unsigned block = 0; block < blocks; ++block) {
    unsigned x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
    unsigned ix = x % size.x, iy = y % size.y, iz = z % size.z;
    unsigned rank = (iz * size.y + iy) * size.x + ix, count = size.x * size.y * size.z;
    unsigned expected[] = {ix,          iy,
                           iz,          size.x,
                           size.y,      size.z,
                           x / size.x,  y / size.y,
                           z / size.z,  grid.x / size.x,
                           grid.y / size.y, grid.z / size.z,
                           ix,          iy,
                           iz,          rank,
                           count,       count * 40,
                           isGiven,     rank,
                           count,       isGiven};
    for (unsigned word = 0; word < sizeof(expected) / sizeof(expected[0]); ++word)
      CHECK_AT(block * words + word, out.host[block * words + word], expected[word]);
  }
}

int main() {
  int device, hasClusters;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  if (!hasClusters)
    return check::skip("the device has no clusters");
  test(3, 1, false);
  test(3, 1);
  test(6, 2);
  test(6, 3);
  test(8, 4);
  test(16, 8);
  test(dim3(4, 6, 2), dim3(2, 2, 1));
  test(dim3(4, 4, 4), dim3(2, 2, 2));
  test(dim3(3, 4, 6), dim3(1, 2, 3));
  return check::finish("positions");
}
