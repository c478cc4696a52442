// REQUIRES: hetcc
// RUN: hetcc -rdc=true --het-emit=hetir %s -o - | FileCheck %s
// RUN: not hetcc -rdc=true -DWAIT %s -c -o %t.o 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not hetcc %s -c -o %t.o 2>&1 | FileCheck %s --check-prefix=WHOLE

// A launch leaves a record in a variable of the runtime's, with the kernel's number: 0xFD
// and what begins the SHA-256 of its name.

__global__ void child(int *p) { *p = 1; }

typedef void (*Kernel)(int *);

// CHECK: llvm.mlir.global external @het.launches(){{.*}}addr_space = 1
// CHECK-LABEL: llvm.func @_Z6parentPiPPFvS_E(
// CHECK-DAG: llvm.mlir.addressof @het.launches : !llvm.ptr<1>
// CHECK-DAG: llvm.mlir.constant(-155381256097840841 : i64)
// CHECK: llvm.atomicrmw add
__global__ void parent(int *p, Kernel *kept) {
  child<<<1, 1>>>(p);
  *kept = child;
// WHOLE: device-launch.cu:[[@LINE-2]]:{{[0-9]+}}: error: kernel launch from __device__ or __global__ function requires separate compilation mode; compile and link with -rdc=true
#ifdef WAIT
  // WAIT: error: no matching function for call to 'cudaDeviceSynchronize'
  // WAIT: call to __host__ function from __global__ function
  cudaDeviceSynchronize();
#endif
}
