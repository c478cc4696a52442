// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s
// RUN: hetcc -G --het-emit=hetir %s -o - | FileCheck %s

// Lanes are stopped in kernels only, so a function is inlined, whatever the source says, by
// which lanes wait for others or exchange values in lockstep.

__device__ __noinline__ bool isSet(volatile int *flag) { return *flag != 0; }
__device__ __noinline__ bool isTaken(int *flag) { return atomicAdd(flag, 0) != 0; }
__device__ __noinline__ bool isTakenBehind(int *flag) { return isTaken(flag); }
__device__ __noinline__ void step(volatile int *sums, int by) {
  sums[threadIdx.x] += sums[threadIdx.x + by];
}
__device__ __noinline__ int plain(int *p) { return *p + 1; }

// CHECK-LABEL: llvm.func @_Z5pollsPi(
// CHECK-NOT: llvm.call
// CHECK: llvm.load volatile
// CHECK-NOT: llvm.call
// CHECK: llvm.return
__global__ void polls(int *flag) {
  while (!isSet(flag)) {
  }
}

// CHECK-LABEL: llvm.func @_Z6callerPi(
// CHECK-NOT: llvm.call
// CHECK: llvm.atomicrmw
// CHECK-NOT: llvm.call
// CHECK: llvm.return
__global__ void caller(int *flag) {
  while (!isTakenBehind(flag)) {
  }
}

// CHECK-LABEL: llvm.func @_Z8lockstepPi(
// CHECK-NOT: llvm.call
// CHECK: llvm.store volatile
// CHECK-NOT: llvm.call
// CHECK: llvm.return
__global__ void lockstep(int *out) {
  __shared__ int sums[64];
  sums[threadIdx.x] = out[threadIdx.x];
  step(sums, 16);
  step(sums, 8);
  out[threadIdx.x] = sums[threadIdx.x];
}

// What does neither stays a call.
// CHECK-LABEL: llvm.func @_Z5callsPi(
// CHECK: llvm.call {{.*}}@_Z5plainPi
__global__ void calls(int *p) { p[1] = plain(p); }
