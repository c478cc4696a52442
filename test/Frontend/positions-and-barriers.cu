// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// Special registers, barriers and fences become operations of hetIR; nothing of
// the target is left.

// CHECK-NOT: nvvm
// CHECK: llvm.func @_Z9positionsPj({{.*}}) attributes {
// CHECK-SAME: hetir.kernel
// CHECK-DAG: hetir.thread_id  x
// CHECK-DAG: hetir.block_id  y
// CHECK-DAG: hetir.block_dim  z
// CHECK-DAG: hetir.grid_dim  x
// CHECK: llvm.return
__global__ void positions(unsigned *out) {
  out[0] = threadIdx.x;
  out[1] = blockIdx.y;
  out[2] = blockDim.z;
  out[3] = gridDim.x;
}

// Launch bounds are kept.
// CHECK-LABEL: llvm.func @_Z8barriersPi(
// CHECK-SAME: hetir.info = {max_threads = 256 : i32, min_blocks = 2 : i32}
// CHECK: hetir.safe_point {{.*}}entry
// CHECK: hetir.barrier
// CHECK: hetir.barrier_reduce  count
// CHECK: hetir.fence  block
// CHECK: hetir.fence  device
// CHECK: hetir.fence  system
__global__ void __launch_bounds__(256, 2) barriers(int *p) {
  p[threadIdx.x] = 1;
  __syncthreads();
  p[0] = __syncthreads_count(p[threadIdx.x + 1]);
  __threadfence_block();
  p[1] = 1;
  __threadfence();
  p[2] = 2;
  __threadfence_system();
}
