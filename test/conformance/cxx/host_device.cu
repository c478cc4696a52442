// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_80
// FLAGS: -arch=sm_90 -DARCH=900
// FLAGS: -arch=compute_75 -DARCH=750
//
// __host__ __device__ functions, __CUDA_ARCH__ (undefined for the host, the
// architecture for the device), __CUDACC__, and overloads by execution space.
// CUDA C++ Programming Guide: Function Execution Space Specifiers; Macros.

#include "Inputs/check.h"
#ifndef ARCH
#define ARCH 800
#endif

__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return -1;
#endif
}
struct Value {
  int v;
  __host__ __device__ Value(int x) : v(x + where()) {}
  __host__ __device__ operator int() const { return v * 2; }
  Value &operator=(const Value &) = default;
};
__global__ void kernel(int *out) {
  out[0] = where();
  out[1] = Value(5);
#if defined(__CUDACC__) && __CUDACC_VER_MAJOR__ >= 11
  out[2] = 1;
#endif
}

int main() {
  check::Array<int> out(3);
  kernel<<<1, 1>>>(out);
  out.get();
  CHECK_EQ(out.host[0], ARCH);
  CHECK_EQ(out.host[1], (5 + ARCH) * 2);
  CHECK_EQ(out.host[2], 1);
  CHECK_EQ(where(), -1);
  CHECK_EQ((int)Value(5), 8);
  return check::finish("host_device");
}
