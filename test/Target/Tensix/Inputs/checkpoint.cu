// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// checkpoint STEPS MIDDLE END: a checkpoint in the middle of a kernel of at least so many
// steps, and one when it has ended. Shared memory, a local array, lanes apart, a variable of
// the package.
#include <cstdio>
#include <cstdlib>
#include <het/migrate.h>

constexpr int blocks = 12, threads = 64;
__device__ unsigned seeds[4] = {17, 99, 5, 1234567};

/// Blocks of a kernel.
struct Progress {
  unsigned begun, ended;
};

__global__ void run(unsigned *out, int steps, Progress *progress) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = blockIdx.x * 7919 + t, last[4] = {x, 1, 2, 3};
  if (t == 0) {
    atomicAdd(&progress->begun, 1);
    __threadfence();
  }
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
  __syncthreads();
  if (t == 0)
    atomicAdd(&progress->ended, 1);
}

static int save(const char *file) {
  const int code = hetSaveCheckpoint(0, file);
  if (code)
    std::printf("%s\n", hetMigrateError());
  return code;
}

/// Read in another stream than the kernel's.
static Progress read(const Progress *progress, cudaStream_t other) {
  Progress now = {};
  cudaMemcpyAsync(&now, progress, sizeof(now), cudaMemcpyDeviceToHost, other);
  if (cudaError_t error = cudaStreamSynchronize(other)) {
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
  return now;
}

int main(int, char **arguments) {
  unsigned *out, host[blocks * threads], sum = 0;
  Progress *progress;
  cudaStream_t other;
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&progress, sizeof(*progress));
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  run<<<blocks, threads>>>(out, 1, progress); // so that it is ready
  cudaDeviceSynchronize();
  // Until the kernel has not ended when the checkpoint is written.
  int code = 0;
  bool isMiddle = false;
  for (int steps = std::atoi(arguments[1]); !isMiddle && !code; steps *= 2) {
    cudaMemset(progress, 0, sizeof(*progress));
    cudaDeviceSynchronize();
    run<<<blocks, threads>>>(out, steps, progress);
    while (!read(progress, other).begun)
      ;
    code = save(arguments[2]);
    isMiddle = read(progress, other).ended < blocks;
    if (cudaError_t error = cudaDeviceSynchronize()) {
      std::printf("%s\n", cudaGetErrorString(error));
      return 1;
    }
  }
  if (code || (code = save(arguments[3])))
    return code;
  // The same on all devices.
  run<<<blocks, threads>>>(out, 100, progress);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (unsigned value : host)
    sum = sum * 31 + value;
  std::printf("%08x\n", sum);
}
