// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of separate/functions share.

#ifndef SEPARATE_FUNCTIONS_H
#define SEPARATE_FUNCTIONS_H

__device__ int blockSum(int value);
__device__ int lanesSum(int value);
__device__ int otherTag();
__device__ long long collatz(long long n);
__device__ long long step(long long n);
void addThere(int *out, int count);
int staticKernelThere(int *out);

template <class T> __device__ T twice(T value) { return value + value; }
inline __device__ int increased(int value, int by) { return value + by; }
template <class T> __global__ void add(T *out, T by) {
  out[threadIdx.x] = increased(out[threadIdx.x], by);
}

#ifndef SEPARATE_TAG
#define SEPARATE_TAG 1
#endif
static __global__ void staticKernel(int *out) { *out = SEPARATE_TAG; }

#endif // SEPARATE_FUNCTIONS_H
