// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaLaunchCooperativeKernel and grid.sync(): all blocks see what all blocks
// wrote, round after round, also with block barriers and divergence between.
// CUDA C++ Programming Guide: Cooperative Groups, Grid Synchronization.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void rounds(unsigned *a, unsigned *b, int count) {
  cg::grid_group grid = cg::this_grid();
  __shared__ unsigned first;
  unsigned n = grid.size(), t = grid.thread_rank();
  for (int r = 0; r < count; ++r) {
    if (threadIdx.x == 0)
      first = a[(t + 5) % n];
    __syncthreads();
    unsigned x = a[(t + n / 2) % n] * 3 + a[(t + 1) % n] + first;
    if (x & 1)
      x ^= x >> 5;
    b[t] = x;
    grid.sync();
    unsigned *swap = a;
    a = b;
    b = swap;
  }
}

int main() {
  int device, cooperative;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch,
                              device));
  if (!cooperative)
    return check::skip("the device has no cooperative launch");
  int processors, each, count = 7;
  CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                              device));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, rounds, 72, 0));
  CHECK_TRUE(processors >= 1 && each >= 1);
  int blocks = processors * each < 6 ? processors * each : 6;
  unsigned size = 72, n = blocks * size;
  std::vector<unsigned> x(n), next(n);
  for (unsigned t = 0; t < n; ++t)
    x[t] = t * t + 7;
  check::Array<unsigned> a(x), b(n);
  unsigned *pa = a, *pb = b;
  void *arguments[] = {&pa, &pb, &count};
  CUDA(cudaLaunchCooperativeKernel((const void *)rounds, dim3(blocks),
                                   dim3(size), arguments, 0, 0));
  CUDA_DONE();
  for (int r = 0; r < count; ++r) {
    for (unsigned t = 0; t < n; ++t) {
      unsigned first = x[(t / size * size + 5) % n];
      unsigned v = x[(t + n / 2) % n] * 3 + x[(t + 1) % n] + first;
      next[t] = v & 1 ? v ^ v >> 5 : v;
    }
    x = next;
  }
  b.get();
  for (unsigned t = 0; t < n; ++t)
    CHECK_AT(t, b.host[t], x[t]);

  // More blocks than can be resident are refused.
  long long many = (long long)processors * each * 2 + 1;
  CUDA_ERROR(cudaLaunchCooperativeKernel((const void *)rounds,
                                         dim3((unsigned)many), dim3(size),
                                         arguments, 0, 0),
             cudaErrorCooperativeLaunchTooLarge);
  CHECK_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  return check::finish("grid_sync");
}
