// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o - 2>&1 | FileCheck %s

// A barrier in a function that calls itself would be one that hetIR cannot cut at.

// CHECK: sync-in-recursion.cu:[[#@LINE+3]]:{{.*}}: error: threads meet here in 'descend(int*, int)', which is recursive
__device__ __noinline__ int descend(int *p, int depth) {
  if (depth > 0) {
    __syncthreads();
    return descend(p, depth - 1) * p[depth] + descend(p + 1, depth - 1);
  }
  return p[0];
}

__global__ void kernel(int *p, int depth) { p[0] = descend(p, depth); }
