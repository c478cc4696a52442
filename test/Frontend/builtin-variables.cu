// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s
// RUN: not hetcc -DADDRESS --het-emit=hetir %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not hetcc -DHOST %s -o %t 2>&1 | FileCheck %s --check-prefix=HOST

// What a member, a copy or a reference is read for is one position.

// CHECK-LABEL: llvm.func @_Z5wholePj(
// CHECK-NOT: alloca
// CHECK-DAG: hetir.thread_id x
// CHECK-DAG: hetir.block_dim y
// CHECK-NOT: hetir.thread_id
// CHECK-NOT: hetir.block_dim
// CHECK: llvm.return
__global__ void whole(unsigned *out) {
  auto thread = threadIdx;
  const auto &size = blockDim;
  out[thread.x] = size.y;
}

#ifdef ADDRESS
// ADDRESS: builtin-variables.cu:[[#@LINE+1]]:{{.*}} error: cannot take the address of the built-in variable 'threadIdx'
__device__ const uint3 *place = &threadIdx;
__global__ void member(const unsigned **out) {
  // ADDRESS: builtin-variables.cu:[[#@LINE+1]]:{{.*}} error: cannot take the address of the built-in variable 'blockDim'
  *out = &(blockDim.y);
}
// ADDRESS: 2 errors generated.
#endif

// As with nvcc, which compiles this, too.
#ifdef HOST
// HOST: undefined reference to `threadIdx'
__host__ __device__ int place() { return threadIdx.x; }
int main() { return place(); }
#endif
