// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint while one kernel runs and others wait behind it, then one when all are done.
#include <cstdio>
#include <het/migrate.h>

#include "hold.h"

__global__ void slow(unsigned *out, int steps, Hold *hold, unsigned *ended) {
  unsigned x = threadIdx.x + blockIdx.x;
  if (threadIdx.x == 0)
    holdHere(hold); // only says that it has begun
  for (int i = 0; i < steps; ++i) {
    x = x * 1664525u + (x >> 7);
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(ended, 1);
}

__global__ void add(unsigned *out, unsigned what) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += what;
}

static int save(const char *file) {
  const int code = hetSaveCheckpoint(0, file);
  if (code)
    std::printf("%s\n", hetMigrateError());
  return code;
}

int main() {
  unsigned *out, *ended;
  cudaMalloc(&out, 16 * 64 * sizeof(unsigned));
  cudaMalloc(&ended, sizeof(*ended));
  Hold *hold = makeHold(true);
  // Until the kernel has not ended when the checkpoint is written.
  int code = 0;
  bool isMiddle = false;
  for (int steps = 1 << 16; !isMiddle && !code; steps *= 2) {
    hold->begun = *ended = 0;
    slow<<<16, 64>>>(out, steps, hold, ended);
    for (unsigned i = 1; i <= 100; ++i)
      add<<<16, 64>>>(out, i);
    awaitBegun(hold);
    code = save("middle.hetckpt");
    isMiddle = *const_cast<volatile unsigned *>(ended) < 16;
    cudaDeviceSynchronize();
  }
  return code || save("end.hetckpt");
}
