// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// cp.async is a store that may be done later. With a size of the source that is one of
// two ways; parts are copied at once, by bytes.

// CHECK-LABEL: llvm.func @_Z4copyPKvPj
// CHECK: %[[WORDS:.*]] = llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NEXT: llvm.store %[[WORDS]], %{{.*}} {alignment = 16 : i64, hetir.copy = "cg"} : vector<4xi32>, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64, hetir.copy = "ca"} : i32, !llvm.ptr<3>
// CHECK-NEXT: hetir.copy_group
// CHECK-NEXT: hetir.copy_wait 2
// CHECK: llvm.icmp "eq" %{{.*}}
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64, hetir.copy = "ca"} : i64, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} {alignment = {{[0-9]+}} : i64} : i64, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<3>
// CHECK: hetir.copy_wait{{$}}
__global__ void copy(const void *from, unsigned *out) {
  __shared__ __align__(16) unsigned tile[64];
  unsigned to = (unsigned)__cvta_generic_to_shared(tile);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to + 16), "l"(from) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 2;" ::: "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to + 32), "l"(from), "r"(*out) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  *out = tile[threadIdx.x];
}
