// REQUIRES: hetcc, runtime, host
// RUN: hetcc %s -o %t 2>&1 | FileCheck %s
// RUN: not env HET_DEVICES=host HET_CACHE_DIR=%t.cache %t 2>&1 | FileCheck %s --check-prefix=START

// A lane that waits in a recursive function cannot be stopped there, so that the one that
// it waits for never runs: a warning when the program is built, and an error where it
// would hang.

#include <cstdio>

__device__ __noinline__ int descend(volatile int *flag, int *p, int depth) {
  if (depth == 0)
    return *p;
  // CHECK: wait-in-recursion.cu:[[#@LINE+1]]:{{.*}}: warning: a loop waits for other threads here in 'descend(int volatile*, int*, int)', which is recursive
  while (!*flag) {
  }
  return descend(flag, p, depth - 1) * p[depth] + descend(flag, p + 1, depth - 1);
}

// CHECK: wait-in-recursion.cu:{{.*}}: warning: a loop waits for other threads here in 'looks(int*, int)'
__device__ int looks(int *flag, int depth);
__device__ __noinline__ bool isUp(int *flag, int depth) {
  return depth ? looks(flag, depth - 1) > 0 : atomicAdd(flag, 0) != 0;
}
__device__ __noinline__ int looks(int *flag, int depth) {
  int rounds = 0;
  while (!isUp(flag, depth) && !isUp(flag + 1, depth))
    ++rounds;
  return rounds;
}

__global__ void waits(int *flag, int *p) {
  if (threadIdx.x == 1)
    *(volatile int *)flag = 1;
  else
    p[0] = descend(flag, p, 3);
}

__global__ void waitsByCall(int *flag, int *p) {
  if (threadIdx.x == 1)
    atomicExch(flag, 1);
  else
    p[0] = looks(flag, 2);
}

int main() {
  int *memory = nullptr;
  cudaMalloc(&memory, 64);
  waits<<<1, 2>>>(memory, memory + 4);
  // START: a loop that waits for other threads in a function that is recursive: found it in descend(int volatile*, int*, int), expected it in a kernel
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  waitsByCall<<<1, 2>>>(memory, memory + 4);
  // START: found it in looks(int*, int)
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return cudaDeviceSynchronize() == cudaSuccess;
}
