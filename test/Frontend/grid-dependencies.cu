// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// CUDA's functions and inline PTX are the same operations. What the earlier grid writes is
// read behind the wait, whatever `__restrict__` says of the pointers, also where no clobber
// says that memory is touched.

// CHECK-LABEL: llvm.func @_Z5callsPKiPi
// CHECK-NOT: noalias
// CHECK: hetir.grid_dependency_trigger
// CHECK-NOT: llvm.load
// CHECK: hetir.grid_dependency_wait
// CHECK: llvm.load
__global__ void calls(const int *__restrict__ in, int *__restrict__ out) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  out[threadIdx.x] = in[threadIdx.x];
}

__device__ __forceinline__ int read(const int *__restrict__ from) { return __ldg(from); }

// CHECK-LABEL: llvm.func @_Z8assemblyPKiPi
// CHECK: hetir.grid_dependency_wait
// CHECK: llvm.load
// CHECK: hetir.grid_dependency_trigger
__global__ void assembly(const int *in, int *out) {
  asm volatile("griddepcontrol.wait;");
  out[threadIdx.x] = read(in + threadIdx.x);
  asm volatile("griddepcontrol.launch_dependents;");
}
