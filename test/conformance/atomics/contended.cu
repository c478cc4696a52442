// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of many threads on few cells, from several blocks: no update is lost
// and each thread gets an old value of its own.
// CUDA C++ Programming Guide: Atomic Functions.

#include "Inputs/check.h"

__global__ void kernel(unsigned *cells, unsigned long long *wide, int *extremes,
                       unsigned *seen) {
  __shared__ unsigned local[2];
  if (threadIdx.x < 2)
    local[threadIdx.x] = 0;
  __syncthreads();
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x,
           n = gridDim.x * blockDim.x;
  unsigned mine = atomicAdd(&cells[0], 1u); // the same cell for a whole warp
  atomicAdd(&seen[mine], 1u);
  atomicAdd(&cells[1 + t % 3], t);
  atomicInc(&cells[4], 6);
  atomicDec(&cells[5], 10);
  atomicXor(&cells[6], 1u << t % 32);
  atomicOr(&cells[7], 1u << t % 29);
  atomicAnd(&cells[8], ~(1u << t % 23));
  atomicSub(&cells[9], t + 1);
  atomicAdd(wide, (unsigned long long)t << 30);
  atomicMin(&extremes[0], (int)(t * 37 % n) - 100);
  atomicMax(&extremes[1], (int)(t * 37 % n) - 100);
  // Only some lanes
  if (t % 5 == 2)
    atomicAdd(&cells[10], 1u);
  // A loop of compare and swap
  unsigned old = cells[11], assumed;
  do {
    assumed = old;
    old = atomicCAS(&cells[11], assumed, assumed * 2 + 1 - assumed);
  } while (old != assumed);
  atomicAdd(&local[t & 1], 1u);
  __syncthreads();
  if (threadIdx.x < 2)
    atomicAdd_block(&cells[12 + threadIdx.x + 2 * blockIdx.x],
                    local[threadIdx.x]);
}

int main() {
  const unsigned blocks = 5, threads = 96, n = blocks * threads;
  check::Array<unsigned> cells(12 + 2 * blocks), seen(n);
  check::Array<unsigned long long> wide(1);
  check::Array<int> extremes(2);
  cells.host[8] = ~0u;
  cells.put();
  kernel<<<blocks, threads>>>(cells, wide, extremes, seen);
  cells.get(), seen.get(), extremes.get();
  unsigned want[12] = {n, 0,           0,          0, n % 7, 0,
                       0, 0x1fffffffu, ~0x7fffffu, 0, 0,     n};
  unsigned long long sum = 0;
  for (unsigned t = 0; t < n; ++t) {
    want[1 + t % 3] += t;
    want[5] = want[5] == 0 || want[5] > 10 ? 10 : want[5] - 1;
    want[6] ^= 1u << t % 32;
    want[9] -= t + 1;
    want[10] += t % 5 == 2;
    sum += (unsigned long long)t << 30;
    CHECK_AT(t, seen.host[t], 1u);
  }
  for (unsigned i = 0; i < 12; ++i)
    CHECK_AT(i, cells.host[i], want[i]);
  for (unsigned i = 0; i < 2 * blocks; ++i)
    CHECK_AT(i, cells.host[12 + i], threads / 2);
  CHECK_EQ(wide.get()[0], sum);
  CHECK_EQ(extremes.host[0], -100);
  CHECK_EQ(extremes.host[1], (int)n - 101);
  return check::finish("contended");
}
