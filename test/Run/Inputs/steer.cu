// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that moves its own kernel, by het/migrate.h: each call's code, and what the
// functions that are called around moves were told. With an argument only whether it could.
#include <cstdio>
#include <het/migrate.h>

#include "hold.h"

constexpr int blocks = 32, threads = 128;

__global__ void run(unsigned *out, int steps, Hold *hold) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = blockIdx.x * 7919 + t;
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2 && t == 0)
      holdHere(hold);
    shared[t] = x;
    __syncthreads();
    x = x * 1664525u + (shared[(t + i) % threads] ^ (x >> 7));
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = x;
}

static unsigned *out;

static unsigned digest() {
  static unsigned host[blocks * threads];
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (unsigned value : host)
    sum = sum * 31 + value;
  return sum;
}

static void say(const char *call, int code) {
  std::printf("%s: %d %s\n", call, code, hetMigrateError());
}
#define SAY(call) say(#call, call)

static void before(int device, const char *from, const char *to, void *data) {
  std::printf("before %d: %s to %s, %d\n", device, from, to, *static_cast<int *>(data));
}
static void after(int device, const char *from, const char *to, int succeeded, void *data) {
  std::printf("after %d: %s to %s, %d, %d\n", device, from, to, succeeded,
              ++*static_cast<int *>(data));
}

int main(int count, char **) {
  int turns = 0;
  SAY(hetOnMove(before, after, &turns));
  if (count > 1)
    return 0;
  cudaMalloc(&out, blocks * threads * sizeof(unsigned));
  Hold *hold = makeHold(true);
  run<<<blocks, threads>>>(out, 1000, hold);
  const unsigned expected = digest();

  *hold = {}; // from here on it waits in its middle
  run<<<blocks, threads>>>(out, 1000, hold);
  awaitBegun(hold);
  SAY(hetMoveDevice(0, "host#2"));
  SAY(hetMoveDevice(0, "host#2"));
  SAY(hetMoveDevice(0, "null"));
  SAY(hetMoveDevice(0, "nothere"));
  SAY(hetMoveDevice(0, "no name"));
  SAY(hetMoveDevice(0, nullptr));
  SAY(hetMoveDevice(1, "host"));
  SAY(hetMoveDevice(-1, "host"));
  SAY(hetResumeDevice(0));
  SAY(hetPauseDevice(0));
  SAY(hetPauseDevice(0));
  hold->released = 1; // goes on when it is resumed
  std::this_thread::yield();
  std::printf("asleep: %s\n", cudaGetErrorName(cudaStreamQuery(nullptr)));
  SAY(hetMoveDevice(0, "host"));
  SAY(hetSaveCheckpoint(0, "steer.hetckpt"));
  SAY(hetSaveCheckpoint(0, "nowhere/steer.hetckpt"));
  SAY(hetSaveCheckpoint(0, nullptr));
  SAY(hetResumeDevice(0));
  std::printf("same: %d\n", digest() == expected);
  SAY(hetFinishCheckpoint(0, "steer.hetckpt", nullptr)); // something was done here
  SAY(hetOnMove(nullptr, nullptr, nullptr));
  SAY(hetMoveDevice(0, "host"));
  std::printf("turns: %d\n", turns);
}
