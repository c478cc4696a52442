// Loops over threads' shares of a constant number of elements are unrolled where the launch
// bounds make the number of rounds the same for all threads.
// RUN: hetcc -O3 --het-emit=llvm %s -o - | FileCheck %s

// 512 elements by 256 threads: two rounds for each.
// CHECK-LABEL: define {{.*}}@_Z3twoPfPKf(
// CHECK: call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-NOT: br i1
// CHECK: load float
// CHECK-NOT: br i1
// CHECK: load float
// CHECK-NOT: load float
// CHECK: ret void
__global__ void __launch_bounds__(256) two(float *out, const float *in) {
  for (int i = threadIdx.x; i < 512; i += 256)
    out[i] = in[i] + 1;
}

// 500 elements: one or two rounds.
// CHECK-LABEL: define {{.*}}@_Z7unequalPfPKf(
// CHECK: br i1
// CHECK: ret void
__global__ void __launch_bounds__(256) unequal(float *out, const float *in) {
  for (int i = threadIdx.x; i < 500; i += 256)
    out[i] = in[i] + 1;
}

// More threads than the step: as many rounds as a thread needs.
// CHECK-LABEL: define {{.*}}@_Z4morePfPKf(
// CHECK: call range(i32 0, 512) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK: br i1
// CHECK: ret void
__global__ void __launch_bounds__(512) more(float *out, const float *in) {
  for (int i = threadIdx.x; i < 512; i += 256)
    out[i] = in[i] + 1;
}

// The bounds of two dimensions hold for each.
// CHECK-LABEL: define {{.*}}@_Z4rowsPfPKf(
// CHECK-DAG: call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-DAG: call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
// CHECK-DAG: call range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK: ret void
__global__ void __launch_bounds__(64) rows(float *out, const float *in) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  out[thread] = in[thread] + 1;
}

// No bounds.
// CHECK-LABEL: define {{.*}}@_Z7unknownPfPKf(
// CHECK: = {{.*}}call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK: br i1
// CHECK: ret void
__global__ void unknown(float *out, const float *in) {
  for (int i = threadIdx.x; i < 512; i += 256)
    out[i] = in[i] + 1;
}
