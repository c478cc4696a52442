// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: not hetcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.mlir %t.o

// All that has no meaning is refused, each at its line, once.

// CHECK: errors.cu:[[#@LINE+6]]:3: error: inline assembly: the PTX instruction 'mma.sync.aligned' is not supported yet
// CHECK-NEXT: [[#@LINE+5]] | {{ *}}asm volatile
// CHECK-NEXT: | {{ *}}^
// CHECK: errors.cu:{{.*}}: note: called from here
__device__ inline unsigned fragment(unsigned x) {
  unsigned y;
  asm volatile("mma.sync.aligned %0, %1;" : "=r"(y) : "r"(x));
  return y;
}

__device__ float elsewhere(float x);

// CHECK: errors.cu:[[#@LINE+5]]:10: error: 'elsewhere(float)' is called but not defined in this file
// CHECK: errors.cu:[[#@LINE+5]]:{{.*}}: error: inline assembly: the special register '%smid' is not supported yet
// CHECK: 3 errors generated.
__global__ void kernel(unsigned *p, float *f) {
  p[0] = fragment(p[1]);
  f[0] = elsewhere(f[1]);
  asm volatile("mov.u32 %0, %%smid;" : "=r"(p[2]));
}

int main() {}
