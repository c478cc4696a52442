// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of the cluster and of the grid in one kernel: blocks add up what their cluster
// has in shared memory, and read what all blocks of the grid have stored. Clusters pass
// different numbers of barriers of their own between two of the grid.
// CUDA C++ Programming Guide: Thread Block Clusters; Grid Synchronization.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned blocks = 8, rounds = 4, threads = 64;

// How threads go their ways between the barriers, which decides how they are carried out.
enum class Ways { Together, Apart, ByNumber };

template <Ways ways> __device__ unsigned inTeams(unsigned value) {
  if constexpr (ways == Ways::Apart) {
    if (threadIdx.x & 1)
      value += __shfl_xor_sync(0xAAAAAAAAu, value, 2);
    else
      value += 2 * __shfl_xor_sync(0x55555555u, value, 4);
  } else if constexpr (ways == Ways::ByNumber) {
    if (threadIdx.x < 32)
      asm volatile("bar.sync 1, 32;" ::: "memory");
    else
      asm volatile("bar.sync 2, 32;" ::: "memory");
  }
  return value;
}

template <Ways ways>
__global__ void meet(unsigned *values, unsigned *sums, unsigned *seen) {
  __shared__ unsigned own;
  const cg::grid_group grid = cg::this_grid();
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned number = blockIdx.x / cluster.num_blocks(), all = gridDim.x;
  for (unsigned round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0)
      own = 100 * blockIdx.x + round;
    cluster.sync();
    unsigned sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      sum += *cluster.map_shared_rank(&own, rank);
    sum = inTeams<ways>(sum);
    for (unsigned more = 0; more < (number + round) % 3; ++more)
      cluster.sync();
    if (threadIdx.x == threads - 1)
      values[blockIdx.x] = sum;
    grid.sync();
    if (threadIdx.x < all)
      seen[(blockIdx.x * rounds + round) * all + threadIdx.x] = values[threadIdx.x];
    if (round % 2)
      cluster.sync();
    grid.sync();
  }
  if (threadIdx.x == threads - 1)
    sums[blockIdx.x] = values[blockIdx.x];
}

unsigned expected(Ways ways, unsigned block, unsigned round, unsigned size) {
  unsigned sum = 0;
  for (unsigned rank = 0; rank < size; ++rank)
    sum += 100 * (block / size * size + rank) + round;
  return ways == Ways::Apart ? 2 * sum : sum; // the thread with the last number is odd
}

// `size` 0: the launch says nothing of clusters.
template <Ways ways> void run(unsigned size) {
  check::Array<unsigned> values(blocks), sums(blocks), seen(blocks * rounds * blocks);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = size;
  attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
  config.attrs = attributes;
  config.numAttrs = size ? 2 : 1;
  CUDA(cudaLaunchKernelEx(&config, meet<ways>, (unsigned *)values, (unsigned *)sums,
                          (unsigned *)seen));
  CUDA(cudaDeviceSynchronize());
  sums.get();
  seen.get();
  const unsigned cluster = size ? size : 1;
  for (unsigned block = 0; block < blocks; ++block) {
    CHECK_AT(block, sums.host[block], expected(ways, block, rounds - 1, cluster));
    for (unsigned round = 0; round < rounds; ++round)
      for (unsigned other = 0; other < blocks; ++other) {
        const unsigned at = (block * rounds + round) * blocks + other;
        CHECK_AT(at, seen.host[at], expected(ways, other, round, cluster));
      }
  }
}

int main() {
  int device, hasClusters;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  if (!hasClusters)
    return check::skip("the device has no clusters");
  for (unsigned size : {0u, 1u, 2u, 4u}) {
    run<Ways::Together>(size);
    run<Ways::Apart>(size);
    run<Ways::ByNumber>(size);
  }
  return check::finish("grid_barriers");
}
