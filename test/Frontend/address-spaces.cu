// REQUIRES: hetcc
// RUN: hetcc --het-emit=llvm %s -o - | FileCheck %s

// Which memory a pointer leads to is answered where it shows: of what a kernel's argument
// leads to, and of variables. Elsewhere the device is asked.

// CHECK-LABEL: @_Z5knownPiS_(
// CHECK-NOT: isspacep
// CHECK: store volatile i32 2,
// CHECK-NOT: isspacep
// CHECK: ret void
__global__ void known(int *p, int *answer) {
  __shared__ int shared;
  int local = 0;
  *(volatile int *)answer = __isLocal(p + 3) + __isShared(p + threadIdx.x) * 4 +
                            (__isShared(&shared) ? 1 : 0) + (__isLocal(&local) ? 1 : 0) +
                            __isLocal(&shared) * 8 + (__isGlobal(p + 3) - 1);
}

// CHECK-LABEL: @_Z5asked
// CHECK: isspacep.shared
__global__ void asked(int **p, int *answer) { *answer = __isShared(*p); }
