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

__global__ void run(unsigned *out, int steps, unsigned *begun) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = blockIdx.x * 7919 + t, last[4] = {x, 1, 2, 3};
  if (t == 0) {
    atomicAdd(begun, 1);
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
}

static int save(const char *file) {
  const int code = hetSaveCheckpoint(0, file);
  if (code)
    std::printf("%s\n", hetMigrateError());
  return code;
}

/// Reads it in another stream than the kernel's.
static void awaitBegun(const unsigned *begun, cudaStream_t other) {
  unsigned seen = 0;
  while (!seen) {
    cudaMemcpyAsync(&seen, begun, sizeof(seen), cudaMemcpyDeviceToHost, other);
    if (cudaStreamSynchronize(other))
      return; // what follows will say so
  }
}

int main(int, char **arguments) {
  unsigned *out, *begun, host[blocks * threads], sum = 0;
  cudaStream_t other;
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&begun, sizeof(*begun));
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  run<<<blocks, threads>>>(out, 1, begun); // so that it is ready
  cudaDeviceSynchronize();
  // Until the kernel has not ended when the checkpoint is written.
  int code = 0;
  bool isMiddle = false;
  for (int steps = std::atoi(arguments[1]); !isMiddle && !code; steps *= 2) {
    cudaMemset(begun, 0, sizeof(*begun));
    run<<<blocks, threads>>>(out, steps, begun);
    awaitBegun(begun, other);
    code = save(arguments[2]);
    isMiddle = cudaStreamQuery(nullptr) == cudaErrorNotReady;
    if (cudaError_t error = cudaDeviceSynchronize()) {
      std::printf("%s\n", cudaGetErrorString(error));
      return 1;
    }
  }
  if (code || (code = save(arguments[3])))
    return code;
  // The same on all devices.
  run<<<blocks, threads>>>(out, 100, begun);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (unsigned value : host)
    sum = sum * 31 + value;
  std::printf("%08x\n", sum);
}
