// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// checkpoint STEPS MIDDLE END: a checkpoint in the middle of a kernel, and one when it has
// ended. Shared memory, a local array, lanes apart, a variable of the package.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <het/migrate.h>
#include <thread>

constexpr int blocks = 12, threads = 64;
__device__ unsigned seeds[4] = {17, 99, 5, 1234567};

__global__ void run(unsigned *out, int steps) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = blockIdx.x * 7919 + t, last[4] = {x, 1, 2, 3};
  for (int i = 0; i < steps; ++i) {
    shared[t] = x;
    __syncthreads();
    x = x * 1664525u + (shared[(t + i) % threads] ^ (x >> 7)) + seeds[i & 3];
    last[x & 3] += x;
    if (x % 5 == 0)
      for (unsigned j = x % 17; j; --j)
        x ^= x << (j & 7);
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = x + last[t & 3];
}

static int save(const char *file) {
  const int code = hetSaveCheckpoint(0, file);
  if (code)
    std::printf("%s\n", hetMigrateError());
  return code;
}

int main(int, char **arguments) {
  unsigned *out, host[blocks * threads], sum = 0;
  cudaMalloc(&out, sizeof(host));
  run<<<blocks, threads>>>(out, 1); // so that it is ready
  cudaDeviceSynchronize();
  run<<<blocks, threads>>>(out, std::atoi(arguments[1]));
  std::this_thread::sleep_for(std::chrono::milliseconds(2)); // until it has begun
  int code = save(arguments[2]);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (unsigned value : host)
    sum = sum * 31 + value;
  std::printf("%08x\n", sum);
  return code || save(arguments[3]);
}
