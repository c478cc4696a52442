// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// Kernels that wait for no grid keep what `__restrict__` says.

// CHECK: llvm.func @_Z4copyPKiPi({{.*}}noalias
__global__ void copy(const int *__restrict__ in, int *__restrict__ out) {
  out[threadIdx.x] = in[threadIdx.x];
}
