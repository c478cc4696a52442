// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments=schedule=true | FileCheck %s --check-prefix=SCHED

// A block that waits at its cluster's barrier says so in its pc: point 1 is the grid's, and
// point 2 with 0x10000000 the cluster's. It goes on with these.
// CHECK-LABEL: llvm.func @both(
// CHECK: llvm.switch %arg0 : i32
// CHECK-NEXT: 1: ^{{bb[0-9]+}},
// CHECK-NEXT: 268435458: ^{{bb[0-9]+}}
// CHECK-NEXT: ]
// CHECK: %[[GRID:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT: llvm.return %[[GRID]]
// CHECK: %[[CLUSTER:.*]] = llvm.mlir.constant(268435458 : i32)
// CHECK-NEXT: llvm.return %[[CLUSTER]]

// The scheduler tells them apart by the waits of points: 6 and 12.
// SCHED: llvm.mlir.global internal constant @both.waits("\00\06\0C")
llvm.func @both(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %at = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store volatile %t, %at : i32, !llvm.ptr<1>
  hetir.grid_barrier
  llvm.store volatile %t, %at : i32, !llvm.ptr<1>
  hetir.grid_barrier cluster
  llvm.store volatile %t, %at : i32, !llvm.ptr<1>
  llvm.return
}
