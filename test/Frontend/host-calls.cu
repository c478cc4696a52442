// REQUIRES: hetcc, runtime, host
// RUN: hetcc %s -o %t 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: env HET_DEVICES=host %t | FileCheck %s --check-prefix=RAN
// RUN: not hetcc -Werror cross-execution-space-call -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not hetcc -DKERNEL -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KERNEL

// Functions for both sides that call functions of the host compile, as with nvcc, because
// libraries do so where a device never comes. A kernel that does come there is stopped.

#include <cstdio>
#include <string>

struct OnHost {
  int value = 3;
  ~OnHost() { std::puts("destroyed"); }
};

// What is in a host function is not looked at.
int onHost(int x) {
  auto digits = [&] { return std::to_string(x); };
  return (int)digits().size();
}

#pragma nv_exec_check_disable
template <class T> __host__ __device__ int onBoth(T x, bool isHost) {
  // WARNED: host-calls.cu:[[# @LINE + 2]]:{{[0-9]+}}: warning: reference to __host__ function 'onHost' in __host__ __device__ function
  // ERROR: host-calls.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: reference to __host__ function 'onHost' in __host__ __device__ function
  return isHost ? onHost(x) : x + 1;
}

template <class T> __host__ __device__ int owned(T x, bool isHost) {
  if (!isHost)
    return x + 2;
  OnHost object;
  return object.value;
}

// What others follow from is not shown.
// WARNED-NOT: error:

__global__ void kernel(int *out, bool isHost) {
  out[0] = onBoth(40, isHost);
  out[1] = owned(40, isHost);
#ifdef KERNEL
  // What is certainly compiled is refused.
  // KERNEL-DAG: host-calls.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: no matching function for call to 'onHost'
  out[2] = onHost(1);
#endif
}

int main() {
  int *out;
  cudaMallocManaged(&out, 3 * sizeof(int));
  kernel<<<1, 1>>>(out, false);
  cudaError_t error = cudaDeviceSynchronize();
  // RAN: device: 41 42 cudaSuccess, host: 2
  std::printf("device: %d %d %s, host: %d\n", out[0], out[1], cudaGetErrorName(error),
              onBoth(40, true));
  kernel<<<1, 1>>>(out, true);
  // RAN: cudaErrorLaunchFailure
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
