// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// A function's address is a number made of its name; a call through a pointer chooses
// by it. What synchronises is inlined with the choice.

typedef void (*Step)(int *);
__device__ void first(int *p) {
  __syncthreads();
  p[0] = 1;
}
__device__ void second(int *p) { p[0] = 2; }
__device__ Step steps[2] = {first, second};

// CHECK-LABEL: llvm.func @_Z6kernelPii(
// CHECK: %[[STEP:.*]] = llvm.load
// CHECK: %[[NUMBER:.*]] = llvm.ptrtoint %[[STEP]]
// CHECK: llvm.switch %[[NUMBER]] : i64, ^[[UNKNOWN:bb[0-9]+]]
// CHECK: hetir.trap
// CHECK: hetir.barrier
// CHECK: llvm.call @_Z6secondPi
__global__ void kernel(int *p, int which) { steps[which & 1](p); }

// A function that has a number and is called by nobody is not there, so nothing in it is
// refused.
__device__ void leave() { asm volatile("exit;"); }
// CHECK-LABEL: llvm.func @_Z10onlyNumberPPv(
// CHECK: llvm.store
// CHECK-NOT: leave
__global__ void onlyNumber(void **out) { *out = reinterpret_cast<void *>(&leave); }
