// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint while one kernel runs and others wait behind it, then one when all are done.
#include <chrono>
#include <cstdio>
#include <het/migrate.h>
#include <thread>

__global__ void slow(unsigned *out, int steps) {
  unsigned x = threadIdx.x + blockIdx.x;
  for (int i = 0; i < steps; ++i) {
    x = x * 1664525u + (x >> 7);
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
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
  unsigned *out;
  cudaStream_t other;
  cudaMalloc(&out, 16 * 64 * sizeof(unsigned));
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  add<<<16, 64>>>(out, 0); // so that it is ready
  slow<<<16, 64>>>(out, 1);
  cudaDeviceSynchronize();
  slow<<<16, 64>>>(out, 3000000);
  std::this_thread::sleep_for(std::chrono::milliseconds(10)); // until it has begun
  for (unsigned i = 1; i <= 100; ++i)
    add<<<16, 64>>>(out, i);
  const int code = save("middle.hetckpt");
  cudaDeviceSynchronize();
  return code || save("end.hetckpt");
}
