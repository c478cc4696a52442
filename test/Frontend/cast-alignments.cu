// REQUIRES: hetcc
// An access by a cast is as aligned as its type, also where it is known which variable is
// accessed, which is aligned to 16 bytes if it is that large. Local objects keep theirs.
//
// RUN: hetcc --het-emit=hetir -o - %s | FileCheck %s

#include <cuda_fp16.h>

// CHECK-DAG: llvm.mlir.global internal {{.*}}E4tile() {addr_space = 3 : i32, alignment = 16 : i64}
// CHECK-DAG: llvm.mlir.global internal {{.*}}E5halfs() {addr_space = 3 : i32, alignment = 16 : i64}
// CHECK-DAG: llvm.mlir.global internal {{.*}}E5small() {addr_space = 3 : i32, alignment = 8 : i64}
// CHECK-DAG: llvm.mlir.global internal {{.*}}E3odd() {addr_space = 3 : i32, alignment = 2 : i64}
// CHECK-DAG: llvm.mlir.global external {{.*}}@table() {{.*}}alignment = 16 : i64
__device__ float table[64];

struct Tiles {
  float first[8][8];
  half second[64];
};

// CHECK-LABEL: llvm.func @_Z6castedPfii(
// The first of what became four accesses:
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : f32, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : f32, !llvm.ptr<3>
// CHECK: "llvm.intr.memcpy"{{.*}}llvm.align = 16 {{.*}}llvm.align = 16 {{.*}}(!llvm.ptr<3>, !llvm.ptr<3>, i64)
// CHECK: "llvm.intr.memcpy"{{.*}}llvm.align = 16 {{.*}}llvm.align = 16 {{.*}}(!llvm.ptr<3>, !llvm.ptr<1>, i64)
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : f32, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<3>
// CHECK: hetir.barrier
__global__ void casted(float *out, int i, int j) {
  __shared__ float tile[32][36];
  __shared__ half halfs[2][64];
  __shared__ int small[2];
  __shared__ Tiles tiles;
  __shared__ char odd[3];
  odd[i] = (char)j;
  float4 value = *(const float4 *)&out[j];
  *(float4 *)&tile[i][j] = value;
  reinterpret_cast<float4 &>(tile[j][i]) = value;
  *reinterpret_cast<uint4 *>(&halfs[i][j]) = *(const uint4 *)(const char *)&tile[i][j];
  *(float4 *)&tiles.second[i] = *(float4 *)&table[j];
  reinterpret_cast<float4 *>(tiles.first[i])[j] = value;
  *(long long *)small = j;
  __syncthreads();
  out[i] = tile[j][i] + (float)halfs[j][i] + (float)small[i] + tiles.first[i][j] +
           (float)tiles.second[j] + odd[j];
}

// So it is in templates, also by references. An access that is larger than any machine's
// is not promised more than the variable has.
struct alignas(32) Eight {
  float at[8];
};
// CHECK-LABEL: llvm.func @_Z2inIfEvPT_i(
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : f32, !llvm.ptr<3>
// CHECK: "llvm.intr.memcpy"{{.*}}llvm.align = {{4|16}} : i64
// CHECK: hetir.barrier
template <class T> __global__ void in(T *out, int i) {
  __shared__ float tile[8][36];
  float4 value = *(const float4 *)&out[i];
  value.x += 1;
  reinterpret_cast<float4 &>(tile[i][i]) = value;
  *(Eight *)&tile[0][i] = *(Eight *)out;
  __syncthreads();
  out[i] = tile[i][i];
}
template __global__ void in<float>(float *, int);
