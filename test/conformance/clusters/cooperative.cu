// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid barriers in kernels that are about clusters without having barriers of them, in
// launches that say nothing of clusters: each block is one then.
// CUDA C++ Programming Guide: Grid Synchronization. PTX ISA: mapa, mbarrier.arrive.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned blocks = 6, rounds = 4, threads = 96;

__device__ unsigned addressOf(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Arrives at a barrier in shared memory as code for any block of the cluster does.
__device__ void arriveAndWait(unsigned long long *barrier, unsigned parity) {
  unsigned there, isOver;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"(addressOf(barrier)), "r"(cg::this_cluster().block_rank()));
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
               : "memory");
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                 "  selp.u32 %0, 1, 0, p; }"
                 : "=r"(isOver)
                 : "r"(addressOf(barrier)), "r"(parity)
                 : "memory");
  while (!isOver);
}

// `withBarrier`: threads wait in a loop, and go on apart.
template <bool withBarrier> __global__ void meet(unsigned *values, unsigned *seen) {
  __shared__ __align__(8) unsigned long long barrier;
  if (withBarrier && threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(&barrier)), "r"(threads)
                 : "memory");
  __syncthreads();
  const cg::grid_group grid = cg::this_grid();
  const unsigned clusters = gridDim.x / cg::this_cluster().num_blocks();
  for (unsigned round = 0; round < rounds; ++round) {
    if constexpr (withBarrier)
      arriveAndWait(&barrier, round & 1);
    if (threadIdx.x == 40)
      values[blockIdx.x] = 10 * blockIdx.x + round + 1000 * clusters;
    grid.sync();
    if (threadIdx.x < gridDim.x)
      seen[(blockIdx.x * rounds + round) * gridDim.x + threadIdx.x] = values[threadIdx.x];
    grid.sync();
  }
}

template <bool withBarrier> void run() {
  check::Array<unsigned> values(blocks), seen(blocks * rounds * blocks);
  unsigned *first = values, *second = seen;
  void *arguments[] = {&first, &second};
  CUDA(cudaLaunchCooperativeKernel((void *)meet<withBarrier>, dim3(blocks), dim3(threads), arguments, 0, 0));
  CUDA(cudaDeviceSynchronize());
  seen.get();
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned round = 0; round < rounds; ++round)
      for (unsigned other = 0; other < blocks; ++other) {
        const unsigned at = (block * rounds + round) * blocks + other;
        CHECK_AT(at, seen.host[at], 10 * other + round + 1000 * blocks);
      }
}

int main() {
  int device, hasClusters, isCooperative;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  CUDA(cudaDeviceGetAttribute(&isCooperative, cudaDevAttrCooperativeLaunch, device));
  if (!hasClusters || !isCooperative)
    return check::skip("the device has no clusters or no cooperative launches");
  run<false>();
  run<true>();
  return check::finish("cooperative");
}
