// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o - 2>&1 | FileCheck %s

// A barrier behind a pointer would be one that hetIR cannot cut at.

typedef void (*Step)(int *);
// CHECK: sync-in-function-pointer.cu:[[#@LINE+2]]:{{.*}}: error: threads meet here in 'first(int*)', which is recursive or called through a pointer
__device__ void first(int *p) {
  __syncthreads();
  p[0] = 1;
}
__device__ void second(int *p) { p[0] = 2; }

__global__ void kernel(int *p, int which) {
  Step steps[2] = {first, second};
  steps[which & 1](p);
}
