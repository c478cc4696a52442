// A kernel is a function of a block's record: positions, arguments, variables and both
// kinds of shared memory are loads from its fields.
//
// REQUIRES: host-pass
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | host-pass convert - | FileCheck %s

// The variable's address: the first of the table at 8. Shared memory is at 16, its dynamic
// part behind the number at 48.
// CHECK-LABEL: llvm.func internal @kernel.segment.0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32)
// CHECK: %[[TABLE_AT:.*]] = llvm.getelementptr inbounds %arg0[8]
// CHECK-NEXT: %[[TABLE:.*]] = llvm.load %[[TABLE_AT]] invariant
// CHECK-NEXT: %[[COUNTER:.*]] = llvm.load %[[TABLE]] invariant
// CHECK: %[[SHARED_AT:.*]] = llvm.getelementptr inbounds %arg0[16]
// CHECK-NEXT: %[[SHARED:.*]] = llvm.load %[[SHARED_AT]] invariant
// CHECK-NEXT: %[[BOX:.*]] = llvm.getelementptr %[[SHARED]]
// CHECK: %[[OFFSET_AT:.*]] = llvm.getelementptr inbounds %arg0[48]
// CHECK-NEXT: %[[OFFSET:.*]] = llvm.load %[[OFFSET_AT]] invariant
// CHECK-NEXT: %[[WIDE:.*]] = llvm.zext %[[OFFSET]]
// CHECK: %[[DYNAMIC:.*]] = llvm.getelementptr %{{.*}}[%[[WIDE]]]
// Positions: y of the block at 84, x of a block's threads at 56, z of the grid at 76.
// CHECK: llvm.getelementptr inbounds %arg0[84]
// CHECK: llvm.getelementptr inbounds %arg0[56]
// CHECK: llvm.getelementptr inbounds %arg0[76]
// CHECK: llvm.load %[[COUNTER]]
// CHECK: llvm.store %{{.*}}, %[[BOX]]
// CHECK: llvm.store %{{.*}}, %[[DYNAMIC]]
// CHECK: llvm.store %{{.*}}, %arg1

// Arguments are unpacked once, before the block's first segment.
// CHECK-LABEL: llvm.func @het_run(%arg0: !llvm.ptr, %arg1: i32) -> i32
// CHECK: %[[PACKED:.*]] = llvm.load %arg0 invariant : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[P:.*]] = llvm.load %[[PACKED]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[X_AT:.*]] = llvm.getelementptr inbounds %[[PACKED]][8]
// CHECK-NEXT: %[[X:.*]] = llvm.load %[[X_AT]] invariant : !llvm.ptr -> i32
// CHECK-NEXT: llvm.call @kernel(%arg0, %arg1, %[[P]], %[[X]])

llvm.mlir.global external @counter() {addr_space = 1 : i32, hetir.variable} : i32
llvm.mlir.global external @box() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<8 x i32>
llvm.func @kernel(%p: !llvm.ptr<1>, %x: i32) attributes {hetir.kernel} {
  %counter = llvm.mlir.addressof @counter : !llvm.ptr<1>
  %box = llvm.mlir.addressof @box : !llvm.ptr<3>
  %dynamic = hetir.dynamic_shared : <3>
  %by = hetir.block_id y
  %nx = hetir.block_dim x
  %gz = hetir.grid_dim z
  %v = llvm.load %counter : !llvm.ptr<1> -> i32
  %a = llvm.add %v, %by : i32
  %b = llvm.add %a, %nx : i32
  %c = llvm.add %b, %gz : i32
  %d = llvm.add %c, %x : i32
  llvm.store %d, %box : i32, !llvm.ptr<3>
  llvm.store %d, %dynamic : i32, !llvm.ptr<3>
  llvm.store %d, %p : i32, !llvm.ptr<1>
  llvm.return
}
