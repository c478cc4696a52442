// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint while a child runs, whose parent has launched others behind it and whose own
// launches are still to come, then one when all are done.
#include <cstdio>
#include <het/migrate.h>

#include "hold.h"

__global__ void note(unsigned *log, unsigned what) { log[++log[0]] = what; }

template <int words> struct Large {
  unsigned words_[words];
};

__global__ void noteLarge(unsigned *log, Large<200> large) {
  log[++log[0]] = large.words_[199];
}

__global__ void slow(unsigned *log, int steps, Hold *hold, unsigned *ended) {
  unsigned x = threadIdx.x;
  if (threadIdx.x == 0) {
    holdHere(hold); // only says that it has begun
    note<<<1, 1>>>(log, 3);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 5);
    note<<<1, 1>>>(log, 4);
  }
  for (int i = 0; i < steps; ++i) {
    x = x * 1664525u + (x >> 7);
    __syncthreads();
  }
  log[100 + threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    *ended = 1;
}

__global__ void parent(unsigned *log, int steps, Hold *hold, unsigned *ended) {
  note<<<1, 1>>>(log, 1);
  note<<<1, 1>>>(log, 2);
  slow<<<1, 64>>>(log, steps, hold, ended);
  Large<200> large;
  for (int i = 0; i < 200; ++i)
    large.words_[i] = i;
  noteLarge<<<1, 1>>>(log, large);
  cudaMemcpyAsync(log + 90, log, sizeof(unsigned), cudaMemcpyDeviceToDevice, 0);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 7);
  note<<<1, 1>>>(log, 6);
}

static int save(const char *file) {
  const int code = hetSaveCheckpoint(0, file);
  if (code)
    std::printf("%s\n", hetMigrateError());
  return code;
}

int main() {
  unsigned *log, *ended;
  cudaMalloc(&log, 256 * sizeof(unsigned));
  cudaMalloc(&ended, sizeof(*ended));
  Hold *hold = makeHold(true);
  // Until the kernel has not ended when the checkpoint is written.
  int code = 0;
  bool isMiddle = false;
  for (int steps = 1 << 16; !isMiddle && !code; steps *= 2) {
    hold->begun = *ended = 0;
    cudaMemset(log, 0, 256 * sizeof(unsigned));
    parent<<<1, 1>>>(log, steps, hold, ended);
    awaitBegun(hold);
    code = save("middle.hetckpt");
    isMiddle = !*const_cast<volatile unsigned *>(ended);
    cudaDeviceSynchronize();
  }
  unsigned found[10];
  cudaMemcpy(found, log, sizeof(found), cudaMemcpyDeviceToHost);
  for (unsigned i = 1; i < 10; ++i)
    std::printf("%u ", found[i]);
  std::printf("\n");
  return code || save("end.hetckpt");
}
