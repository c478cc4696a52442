// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lane produces, another of the same warp waits for it in a loop on memory:
// on both sides of a branch, in a ring, and with the consumer first.
// CUDA C++ Programming Guide: Independent Thread Scheduling.

#include "Inputs/check.h"

// Even lanes wait for the odd lane above them, which comes later in the text.
__global__ void pairs(volatile int *flag, volatile int *data, int *out) {
  int lane = threadIdx.x;
  if (lane % 2 == 0) {
    while (flag[lane + 1] == 0) {
    }
    __threadfence();
    out[lane] = data[lane + 1];
  } else {
    data[lane] = lane * 100;
    __threadfence();
    flag[lane] = 1;
    out[lane] = -lane;
  }
}

// A token goes round the lanes, several times.
__global__ void ring(volatile int *token, int *out) {
  int lane = threadIdx.x, size = blockDim.x;
  for (int round = 0; round < 4; ++round) {
    int turn = round * size + lane;
    while (*token != turn) {
    }
    out[lane] = out[lane] * 7 + turn;
    __threadfence();
    *token = turn + 1;
  }
}

// Bounded queue: lane 0 fills it, lane 1 empties it.
__global__ void queue(volatile int *head, volatile int *tail,
                      volatile int *slots, int *out) {
  const int items = 50, room = 4;
  if (threadIdx.x == 0) {
    for (int i = 0; i < items; ++i) {
      while (i - *tail >= room) {
      }
      slots[i % room] = i * i;
      __threadfence();
      *head = i + 1;
    }
  } else if (threadIdx.x == 1) {
    int sum = 0;
    for (int i = 0; i < items; ++i) {
      while (*head <= i) {
      }
      __threadfence();
      sum = sum * 3 + slots[i % room];
      __threadfence();
      *tail = i + 1;
    }
    *out = sum;
  }
}

int main() {
  check::Array<int> flag(64), data(64), out(64);
  pairs<<<1, 64>>>(flag, data, out);
  out.get();
  for (int l = 0; l < 64; ++l)
    CHECK_AT(l, out.host[l], l % 2 ? -l : (l + 1) * 100);

  flag.fill(0), out.fill(0);
  ring<<<1, 48>>>(flag, out);
  out.get();
  for (int l = 0; l < 48; ++l) {
    int want = 0;
    for (int round = 0; round < 4; ++round)
      want = want * 7 + round * 48 + l;
    CHECK_AT(l, out.host[l], want);
  }

  check::Array<int> head(1), tail(1);
  queue<<<1, 32>>>(head, tail, data, out);
  int want = 0;
  for (int i = 0; i < 50; ++i)
    want = (int)((unsigned)want * 3u + i * i);
  CHECK_EQ(out.get()[0], want);
  return check::finish("producer_consumer");
}
