// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// Variables of the package are declared; shared objects and constants are in the
// kernel's module; unused things are not.

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter;
__device__ int unused;

// CHECK-DAG: llvm.mlir.global external {{.*}}@table() {addr_space = 4 : i32, {{.*}}hetir.variable} : !llvm.array<4 x f32>
// CHECK-DAG: llvm.mlir.global external @counter() {addr_space = 1 : i32, {{.*}}hetir.variable} : i32
// CHECK-DAG: llvm.mlir.global internal {{.*}}tile() {addr_space = 3 : i32
// CHECK-DAG: llvm.mlir.global internal {{.*}}constant @".str{{.*}}"("%d\0A\00")
// CHECK-NOT: @unused
// CHECK-NOT: @het.heap
// CHECK-LABEL: llvm.func @_Z6memoryPfi(
// CHECK: hetir.dynamic_shared
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: llvm.atomicrmw add {{.*}} : !llvm.ptr<1>, i32
// CHECK: hetir.printf
__global__ void memory(float *p, int n) {
  __shared__ float tile[64];
  extern __shared__ float rest[];
  tile[threadIdx.x] = p[threadIdx.x];
  rest[threadIdx.x] = tile[63 - threadIdx.x];
  __syncthreads();
  p[n] = rest[n] * table[n & 3];
  atomicAdd(&counter, 1);
  if (n == 0)
    printf("%d\n", n);
}

// One module for each kernel.
// CHECK: // -----
// CHECK-NOT: @table
// CHECK: llvm.mlir.global external @het.heap() {addr_space = 1 : i32, {{.*}}hetir.variable} : !llvm.array<64 x i8>
// CHECK-LABEL: llvm.func @_Z4heapPPv(
// CHECK: %[[HEAP:.*]] = llvm.mlir.addressof @het.heap
// CHECK: hetir.malloc %{{.*}} from %[[HEAP]]
// CHECK: hetir.free
__global__ void heap(void **p) {
  p[0] = malloc(16);
  free(p[1]);
}

// One copy of an argument for all threads.
// CHECK: // -----
// CHECK-LABEL: llvm.func @_Z6common5ThreePi(
// CHECK-SAME: %arg0: !llvm.ptr {hetir.grid_constant, {{.*}}llvm.byval
// CHECK: hetir.is_space grid_constant %arg0
struct Three {
  int at[3];
};
__global__ void common(const __grid_constant__ Three three, int *out) {
  out[0] = __isGridConstant(&three);
}
