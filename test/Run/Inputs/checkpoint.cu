// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel that runs for a second or so, then, with an argument, a checkpoint of what is
// left of it. A variable of the package, shared memory, local arrays, lanes apart.
#include <cstdio>
#include <het/migrate.h>

constexpr int blocks = 48, threads = 128;
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

int main(int count, char **arguments) {
  unsigned *out, host[blocks * threads], sum = 0;
  cudaMalloc(&out, sizeof(host));
  cudaMemset(out, 0, sizeof(host));
  run<<<blocks, threads>>>(out, 20000);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (unsigned value : host)
    sum = sum * 31 + value;
  std::printf("%08x\n", sum);
  if (count > 1 && hetSaveCheckpoint(0, arguments[1])) {
    std::printf("%s\n", hetMigrateError());
    return 1;
  }
}
