// REQUIRES: hetcc

// What lanes that do not count leave undefined does not drop the condition that keeps
// them away: it is a branch still, in front of what is done once.

// RUN: hetcc -w --het-emit=hetir %s -o - | FileCheck %s

__device__ int next;

__device__ int give(int value) { return __shfl_sync(0xffffffffu, value, 0); }
__device__ int takeIf(bool has) {
  if (has)
    return atomicAdd(&next, 1);
}

// Nothing is promised of a parameter, whoever declares it; a launch has its arguments.
// CHECK-LABEL: llvm.func @variable
// CHECK-SAME: %{{.*}}: !llvm.ptr {{{.*}}llvm.noundef
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add
// CHECK: hetir.shuffle
extern "C" __global__ void variable(int *out) {
  int item;
  if (threadIdx.x == 0)
    item = atomicAdd(&next, 1);
  out[threadIdx.x] = give(item);
}

// CHECK-LABEL: llvm.func @member
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add
extern "C" __global__ void member(int *out) {
  struct {
    bool is;
    int item;
  } pair;
  if (threadIdx.x == 0) {
    pair.item = atomicAdd(&next, 1);
    pair.is = pair.item > 7;
  }
  out[threadIdx.x] = give(pair.item) + give(pair.is);
}

// CHECK-LABEL: llvm.func @result
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add
extern "C" __global__ void result(int *out) {
  out[threadIdx.x] = give(takeIf(threadIdx.x == 0));
}

// CHECK-LABEL: llvm.func @decision
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add
extern "C" __global__ void decision(int *out, int n) {
  int item, kind = 1;
  if (threadIdx.x == 0)
    item = atomicAdd(&next, 1);
  if (item > n)
    kind = out[item];
  out[threadIdx.x] = give(kind);
}

// CHECK-LABEL: llvm.func @divisor
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add
extern "C" __global__ void divisor(int *out, int n) {
  int count = 0;
  if (threadIdx.x == 0)
    count = atomicAdd(&next, 1);
  out[threadIdx.x] = give(n / count);
}

// A divisor that does not seem to be zero is divided by as it is.
// CHECK-LABEL: llvm.func @plain
// CHECK-NOT: llvm.select
// CHECK: llvm.udiv
// CHECK-NOT: llvm.select
// CHECK: llvm.return
__device__ unsigned quotient(unsigned a, unsigned b) { return a / b; }
extern "C" __global__ void plain(unsigned *out, unsigned n) {
  out[threadIdx.x] = quotient(out[threadIdx.x], n);
}

// A program's own max(b, 1) is part of its quotient.
// CHECK-LABEL: llvm.func @own
// CHECK: llvm.intr.umax
// CHECK: llvm.udiv
extern "C" __global__ void own(unsigned *out) {
  unsigned b = out[threadIdx.x + 32];
  out[threadIdx.x] = b == 77 ? 0 : out[threadIdx.x] / (b > 1 ? b : 1);
}
