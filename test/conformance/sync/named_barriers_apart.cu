// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier by number lets only those wait that it is for: one half of a block waits, in a
// loop on memory, for what the other half does behind barriers of its own. A device that
// takes such a barrier for the whole block's never ends here.
// PTX ISA: barrier.cta. CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"

__device__ void meet(unsigned number, unsigned count) {
  __nvvm_barrier_sync_cnt(number, count);
}

// The second half starts only when the first has done its rounds, and has more of them.
__global__ void afterTheOthers(int *flag, int *out) {
  __shared__ int box[256];
  __shared__ volatile int done;
  int t = threadIdx.x, half = t / 128, x = t;
  volatile int *everywhere = flag;
  if (t == 0)
    done = 0;
  __syncthreads();
  if (half == 1) {
    while (done == 0) {
    }
    while (*everywhere == 0) {
    }
    __threadfence();
  }
  for (int round = 0; round < 3 + half * 4; ++round) {
    box[t] = x;
    meet(half + 1, 128);
    x = x * 3 + box[half * 128 + (t + 33) % 128];
    meet(half + 1, 128);
  }
  if (half == 0) {
    meet(1, 128);
    if (t == 17) {
      __threadfence();
      done = 1;
      *everywhere = 1;
    }
  }
  out[t] = x;
}

// They take turns: each half waits in memory for the other's round.
__global__ void inTurns(int *out) {
  __shared__ volatile int turn;
  __shared__ int sum;
  int t = threadIdx.x, half = t / 64;
  if (t == 0) {
    turn = 0;
    sum = 0;
  }
  __syncthreads();
  for (int round = 0; round < 6; ++round) {
    while (turn != 2 * round + half) {
    }
    atomicAdd(&sum, (round + 1) * (half + 1));
    __barrier_sync_count(half + 5, 64);
    if (t % 64 == 63) {
      __threadfence_block();
      turn = 2 * round + half + 1;
    }
  }
  __barrier_sync(0); // of all again
  out[t] = sum;
}

// Warps in branches of their own, each with a number of its own and other rounds; half
// of the warps have a partner.
__global__ void pairs(int *out) {
  __shared__ int box[1024];
  int t = threadIdx.x, team = t / 32, x = t;
  if (team % 4 < 2) {
    int pair = team / 4, other = (team ^ 1) * 32 + 31 - t % 32;
    for (int round = 0; round <= pair; ++round) {
      box[t] = x;
      meet(pair + 1, 64);
      x += box[other] * (round + 2);
      meet(pair + 1, 64);
    }
  } else if (team % 4 == 2) {
    meet(15, 32); // alone
    x = -x;
  } else {
    return; // never comes to any of them
  }
  out[t] = x;
}

// The first block waits for the second, and so gives way to it, while a warp of each has
// arrived at a barrier already and does not come again.
__global__ void acrossBlocks(int *flag, int *out) {
  __shared__ int box[32];
  int t = threadIdx.x;
  volatile int *done = flag;
  if (t < 32) {
    box[t] = blockIdx.x * 100 + t;
    asm volatile("bar.arrive 3, 64;" ::: "memory");
  }
  if (blockIdx.x == 0)
    while (*done != 2) {
    }
  if (t >= 32) {
    meet(3, 64);
    out[blockIdx.x * 32 + t - 32] = box[63 - t];
  }
  __syncthreads();
  if (blockIdx.x == 1 && t == 0)
    *done = 2;
}

int main() {
  check::Array<int> flag(1), out(1024);
  afterTheOthers<<<1, 256>>>(flag, out);
  out.get();
  std::vector<int> x(1024), old;
  for (int half = 0; half < 2; ++half) {
    for (int t = half * 128; t < half * 128 + 128; ++t)
      x[t] = t;
    for (int round = 0; round < 3 + half * 4; ++round) {
      old = x;
      for (int t = half * 128; t < half * 128 + 128; ++t)
        x[t] = old[t] * 3 + old[half * 128 + (t + 33) % 128];
    }
  }
  for (int t = 0; t < 256; ++t)
    CHECK_AT(t, out.host[t], x[t]);

  inTurns<<<1, 128>>>(out);
  out.get();
  for (int t = 0; t < 128; ++t)
    CHECK_AT(t, out.host[t], 64 * 21 + 64 * 42);

  acrossBlocks<<<2, 64>>>(flag, out);
  out.get();
  for (int t = 0; t < 64; ++t)
    CHECK_AT(t, out.host[t], t / 32 * 100 + 31 - t % 32);

  out.fill(7);
  pairs<<<1, 1024>>>(out);
  out.get();
  for (int t = 0; t < 1024; ++t)
    x[t] = t;
  for (int pair = 0; pair < 8; ++pair)
    for (int round = 0; round <= pair; ++round) {
      old = x;
      for (int t = pair * 128; t < pair * 128 + 64; ++t)
        x[t] += old[(t / 32 ^ 1) * 32 + 31 - t % 32] * (round + 2);
    }
  for (int t = 0; t < 1024; ++t)
    CHECK_AT(t, out.host[t],
             t / 32 % 4 < 2 ? x[t] : t / 32 % 4 == 2 ? -t : 7);
  return check::finish("named_barriers_apart");
}
