// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// Operations of a team (CUDA's warp), also inside functions, which are inlined
// because threads meet in them.

__device__ __noinline__ float sum(float value) {
  for (int offset = 16; offset; offset >>= 1)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

// CHECK-LABEL: llvm.func @_Z5teamsPfPi(
// CHECK-NOT: llvm.call
// CHECK-COUNT-5: hetir.shuffle  down {{.*}} : f32
// CHECK: hetir.ballot
// CHECK: hetir.vote  any
// CHECK: hetir.team_reduce  add
// CHECK: hetir.team_sync
// CHECK: hetir.match  any
// CHECK: llvm.return
__global__ void teams(float *f, int *p) {
  f[threadIdx.x] = sum(f[threadIdx.x]);
  p[0] = __ballot_sync(0xffffffff, p[threadIdx.x]);
  p[1] = __any_sync(0xffffffff, p[threadIdx.x]);
  p[2] = __reduce_add_sync(0xffffffff, p[threadIdx.x]);
  __syncwarp();
  p[3] = __match_any_sync(0xffffffff, p[threadIdx.x]);
}
