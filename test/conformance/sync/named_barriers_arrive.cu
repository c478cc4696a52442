// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers by number in inline PTX: all sixteen at once, numbers and counts in registers,
// warps that only arrive, and lanes that come apart or have ended.
// PTX ISA: bar.sync, bar.arrive, barrier.cta.

#include "Inputs/check.h"

__device__ void sync(unsigned number, unsigned count) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(count) : "memory");
}
__device__ void arrive(unsigned number, unsigned count) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(count) : "memory");
}

// 16 groups of two warps, each at a barrier of its own.
__global__ void sixteen(int *out) {
  __shared__ int box[1024];
  int t = threadIdx.x, group = t / 64, x = t;
  for (int round = 0; round < 2 + group % 5; ++round) {
    box[t] = x;
    sync(group, 64);
    x = x * 2 + box[group * 64 + (t + 40) % 64];
    sync(group, 64);
  }
  out[t] = x;
}

// One warp fills boxes, all the others empty them: a pair of barriers for each box.
__global__ void boxes(int *out, int rounds) {
  __shared__ int box[2][32];
  int t = threadIdx.x, lane = t % 32, sum = 0;
  unsigned threads = blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    unsigned which = round % 2;
    if (t < 32) {
      if (round >= 2)
        sync(3 + which, threads); // it is empty
      box[which][lane] = round * 1000 + lane;
      arrive(1 + which, threads); // it is full
    } else {
      sync(1 + which, threads);
      sum = sum * 3 + box[which][31 - lane];
      if (round + 2 < rounds)
        arrive(3 + which, threads);
    }
  }
  out[t] = sum;
}

// Warps of a team come to the barrier lane by lane, from two places; some lanes are gone.
__global__ void laneByLane(int *out) {
  __shared__ int box[96];
  int t = threadIdx.x;
  if (t % 32 >= 30 && t < 64)
    return;
  box[t] = t * t;
  if (t >= 64) {
    asm volatile("barrier.cta.arrive 9, 96;" ::: "memory");
    out[t] = -1;
    return;
  }
  if (t % 3 == 0) {
    asm volatile("barrier.cta.sync 9, 96;" ::: "memory");
    out[t] = box[t + 32];
  } else {
    asm volatile("barrier.sync 9, 96;" ::: "memory");
    out[t] = box[t + 31];
  }
}

// Without a count the whole block meets, those that have ended excepted.
__global__ void wholeBlock(int *out, int number) {
  __shared__ int box[256];
  int t = threadIdx.x;
  if (t >= 200)
    return;
  box[t] = t + 5;
  asm volatile("barrier.cta.sync.aligned %0;" ::"r"(number + t / 1024) : "memory");
  int x = box[199 - t];
  asm volatile("bar.cta.sync 0;" ::: "memory");
  box[t] = x * 2;
  if (t < 128)
    asm volatile("bar.sync 7, 128;" ::: "memory");
  asm volatile("barrier.sync.aligned 8;" ::: "memory");
  out[t] = box[(t + 100) % 200];
}

int main() {
  check::Array<int> out(1024);
  sixteen<<<1, 1024>>>(out);
  out.get();
  std::vector<int> x(1024), old;
  for (int group = 0; group < 16; ++group) {
    for (int t = group * 64; t < group * 64 + 64; ++t)
      x[t] = t;
    for (int round = 0; round < 2 + group % 5; ++round) {
      old = x;
      for (int t = group * 64; t < group * 64 + 64; ++t)
        x[t] = old[t] * 2 + old[group * 64 + (t + 40) % 64];
    }
  }
  for (int t = 0; t < 1024; ++t)
    CHECK_AT(t, out.host[t], x[t]);

  for (int threads : {64, 160, 1024}) {
    boxes<<<1, threads>>>(out, 7);
    out.get();
    for (int t = 0; t < threads; ++t) {
      int sum = 0;
      for (int round = 0; t >= 32 && round < 7; ++round)
        sum = sum * 3 + round * 1000 + 31 - t % 32;
      CHECK_AT(t, out.host[t], sum);
    }
  }

  out.fill(3);
  laneByLane<<<1, 96>>>(out);
  out.get();
  for (int t = 0; t < 96; ++t) {
    int from = t % 3 == 0 ? t + 32 : t + 31;
    bool isGone = t % 32 >= 30 && t < 64;
    bool isWritten = from >= 64 || from % 32 < 30;
    if (isGone || t >= 64 || isWritten)
      CHECK_AT(t, out.host[t], isGone ? 3 : t >= 64 ? -1 : from * from);
  }

  for (int number : {0, 7, 15}) {
    out.fill(3);
    wholeBlock<<<2, 256>>>(out, number);
    out.get();
    for (int t = 0; t < 256; ++t)
      CHECK_AT(t, out.host[t], t < 200 ? (199 - (t + 100) % 200 + 5) * 2 : 3);
  }
  return check::finish("named_barriers_arrive");
}
