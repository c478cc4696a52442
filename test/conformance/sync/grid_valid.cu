// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOT-YET-ON ptx: the driver's registers say so of every launch, as in nvcc's program
//
// grid_group::is_valid says whether the launch is cooperative, in kernels with a grid
// barrier and without, when they begin and after long work (while which they may move).
// CUDA C++ Programming Guide: Cooperative Groups, Grid Synchronization.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// A number below 2^20 that takes `rounds` to find.
__device__ unsigned work(unsigned seed, int rounds) {
  for (int i = 0; i < rounds; ++i)
    seed = seed * 1664525u + 1013904223u;
  return seed >> 12;
}

__global__ void asks(unsigned *out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  unsigned found = grid.is_valid() ? 1 : 0;
  found |= work(grid.thread_rank(), rounds) << 2;
  found |= cg::this_grid().is_valid() ? 2 : 0;
  out[grid.thread_rank()] = found;
}

__global__ void asksAndMeets(unsigned *out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const unsigned i = grid.thread_rank(), n = grid.size();
  out[i] = grid.is_valid() ? 3 : 0;
  if (grid.is_valid())
    grid.sync();
  unsigned next = grid.is_valid() ? out[(i + 1) % n] : 0;
  if (grid.is_valid())
    grid.sync();
  out[i] = work(i, rounds) << 2 | (next & 2) | (grid.is_valid() ? 1 : 0);
}

static unsigned workHere(unsigned seed, int rounds) {
  for (int i = 0; i < rounds; ++i)
    seed = seed * 1664525u + 1013904223u;
  return seed >> 12;
}

static void run(void (*kernel)(unsigned *, int), bool isCooperative) {
  const unsigned blocks = 2, threads = 40;
  int rounds = 5000;
  check::Array<unsigned> out(blocks * threads);
  unsigned *to = out;
  void *arguments[] = {&to, &rounds};
  if (isCooperative)
    CUDA(cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks), dim3(threads),
                                     arguments, 0, 0));
  else
    CUDA(cudaLaunchKernel((const void *)kernel, dim3(blocks), dim3(threads), arguments, 0,
                          0));
  out.get();
  for (unsigned i = 0; i < out.size(); ++i)
    CHECK_AT(i, out.host[i], workHere(i, rounds) << 2 | (isCooperative ? 3u : 0u));
}

int main() {
  int device, cooperative, processors;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
  CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  if (!cooperative || processors < 2)
    return check::skip("the device has no cooperative launch of two blocks");
  for (int round = 0; round < 2; ++round) {
    run(asks, false);
    run(asks, true);
    run(asksAndMeets, true);
    run(asksAndMeets, false);
  }
  return check::finish("grid_valid");
}
