// At a barrier a block's threads go on in another function; at a grid barrier the block
// gives back where it stands.
//
// REQUIRES: host-pass
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | host-pass convert - | FileCheck %s

// CHECK-LABEL: llvm.func internal @kernel(
// CHECK-SAME: block_bytes = 128
// The record's pc says where to go on: 2 is behind the grid barrier.
// CHECK: llvm.switch %arg1 : i32
// CHECK-NEXT: 2: ^[[BEHIND:bb[0-9]+]]
// CHECK: llvm.call @kernel.segment.0(
// CHECK: llvm.call @kernel.segment.1(
// CHECK: llvm.call @kernel.segment.2(
// CHECK: llvm.return %[[ENDED:[0-9]+]] : i32
// CHECK: ^[[BEHIND]]:
// CHECK: %[[PC:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-NEXT: llvm.return %[[PC]] : i32

// A segment is a loop over the block's threads, whose rounds do not depend on each other.
// CHECK-LABEL: llvm.func internal @kernel.segment.0(
// CHECK: llvm.cond_br {{.*}}parallelAccesses
// CHECK: llvm.store volatile
// CHECK-NOT: hetir.barrier
// CHECK-LABEL: llvm.func internal @kernel.segment.1(
// CHECK: llvm.load volatile
// CHECK-LABEL: llvm.func internal @kernel.segment.2(
// CHECK: llvm.store volatile
llvm.func @kernel(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %at = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store volatile %t, %at : i32, !llvm.ptr<1>
  hetir.barrier
  %v = llvm.load volatile %at : !llvm.ptr<1> -> i32
  hetir.grid_barrier
  llvm.store volatile %v, %at : i32, !llvm.ptr<1>
  llvm.return
}
