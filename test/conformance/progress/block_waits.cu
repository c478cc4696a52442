// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that wait for other blocks of the grid, which are all resident: a flag
// from the last block to the first, a chain, and a barrier made of atomics.
// CUDA C++ Programming Guide: Hardware Multithreading; Atomic Functions.

#include "Inputs/check.h"
#include <algorithm>

// Block 0 waits for the last one, so the first cannot run to its end first.
__global__ void lastFirst(volatile int *flag, int *out) {
  int b = blockIdx.x, last = gridDim.x - 1;
  if (threadIdx.x == 0) {
    if (b != last)
      while (flag[b + 1] == 0) {
      }
    __threadfence();
    out[b] = b == last ? 1 : out[b + 1] * 3 + b;
    __threadfence();
    flag[b] = 1;
  }
  __syncthreads();
}

// Each thread of each block waits.
__global__ void allWait(unsigned *count, int *data, int *out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned all = gridDim.x * blockDim.x;
  for (unsigned round = 1; round <= 3; ++round) {
    atomicAdd(&data[(t + round) % all], (int)(t * round));
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < all * round) {
    }
    __threadfence();
    out[t] = out[t] * 5 + atomicAdd(&data[t], 0);
    __threadfence();
    atomicAdd(count + 1, 1u);
    while (atomicAdd(count + 1, 0u) < all * round) {
    }
  }
}

// As before, in a loop that ends the kernel for each thread that leaves it.
__global__ void untilDone(volatile int *done) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, next = t + blockDim.x;
  bool again;
  do {
    again = false;
    if (done[t] == 0) {
      if (const int before = done[next])
        done[t] = before + 1;
      else
        again = true;
    }
  } while (again);
}

int main() {
  const int blocks = 4, threads = 40, all = blocks * threads;
  int device, processors;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                              device));
  int resident = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, allWait,
                                                     threads, 0));
  if (resident * processors < blocks)
    return check::skip("fewer blocks are resident than wait for each other");

  check::Array<int> flag(blocks), out(all), data(all);
  lastFirst<<<blocks, 33>>>(flag, out);
  out.get();
  int want = 1;
  CHECK_AT(blocks - 1, out.host[blocks - 1], want);
  for (int b = blocks - 2; b >= 0; --b) {
    want = want * 3 + b;
    CHECK_AT(b, out.host[b], want);
  }

  check::Array<unsigned> count(2);
  out.fill(0);
  allWait<<<blocks, threads>>>(count, data, out);
  out.get();
  for (int t = 0; t < all; ++t) {
    int value = 0, sum = 0;
    for (int round = 1; round <= 3; ++round) {
      sum += (t - round + all) % all * round;
      value = value * 5 + sum;
    }
    CHECK_AT(t, out.host[t], value);
  }

  const int most = std::min(16, resident * processors);
  check::Array<int> done(most * threads);
  for (int t = (most - 1) * threads; t < most * threads; ++t)
    done.host[t] = 1;
  done.put();
  untilDone<<<most, threads>>>(done);
  done.get();
  for (int t = 0; t < most * threads; ++t)
    CHECK_AT(t, done.host[t], most - t / threads);
  return check::finish("block_waits");
}
