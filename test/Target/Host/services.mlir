// Services are calls through the pointers of the block's record; the block goes first.
//
// REQUIRES: host-pass
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | host-pass convert - | FileCheck %s

// CHECK-LABEL: llvm.func internal @kernel.segment.0(
// CHECK: llvm.call @__het_malloc(
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %arg0[32]
// CHECK-NEXT: %[[SERVICES:.*]] = llvm.load %[[AT]] invariant
// CHECK-NEXT: %[[PRINTF:.*]] = llvm.load %[[SERVICES]] invariant
// CHECK-NEXT: llvm.call %[[PRINTF]](%arg0, %{{.*}}, %arg1) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// The clock takes its kind and no block.
// CHECK: %[[KIND:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.getelementptr inbounds %{{.*}}[32]
// CHECK: llvm.getelementptr inbounds %{{.*}}[32]
// CHECK-NEXT: %[[CLOCK:.*]] = llvm.load
// CHECK-NEXT: llvm.call %[[CLOCK]](%[[KIND]]) : !llvm.ptr, (i32) -> i64
// CHECK: llvm.getelementptr inbounds %{{.*}}[40]
// CHECK-NEXT: %[[SLEEP:.*]] = llvm.load
// CHECK-NEXT: llvm.call %[[SLEEP]](%arg3) : !llvm.ptr, (i32) -> ()
// The host hears of each free, and whether there was something to free.
// CHECK: %[[FREED:.*]] = llvm.call @__het_free(
// CHECK: llvm.getelementptr inbounds %{{.*}}[24]
// CHECK-NEXT: %[[NOTE:.*]] = llvm.load
// CHECK-NEXT: llvm.call %[[NOTE]](%arg0, %{{.*}}, %[[FREED]])
// CHECK: llvm.getelementptr inbounds %{{.*}}[8]
// CHECK-NEXT: %[[ASSERT:.*]] = llvm.load
// CHECK-NEXT: llvm.call %[[ASSERT]](%arg0, %[[TEXT:.*]], %[[TEXT]], %arg3, %[[TEXT]])
// CHECK: llvm.getelementptr inbounds %{{.*}}[16]
// CHECK-NEXT: %[[TRAP:.*]] = llvm.load
// CHECK-NEXT: llvm.call %[[TRAP]](%arg0) : !llvm.ptr, (!llvm.ptr) -> ()
// CHECK-NEXT: llvm.unreachable
llvm.mlir.global external @het.heap() {addr_space = 1 : i32, hetir.variable} : !llvm.array<64 x i8>
llvm.mlir.global internal constant @text("hello\00") {addr_space = 4 : i32}
llvm.func @kernel(%out: !llvm.ptr, %n: i64, %m: i32) attributes {hetir.kernel} {
  %text = llvm.mlir.addressof @text : !llvm.ptr<4>
  %heap = llvm.mlir.addressof @het.heap : !llvm.ptr<1>
  %p = hetir.malloc %n from %heap : !llvm.ptr<1> -> !llvm.ptr
  %k = hetir.printf %text, %out : !llvm.ptr<4>, !llvm.ptr
  %c = hetir.clock cycles64 : i64
  llvm.store %c, %p : i64, !llvm.ptr
  hetir.sleep %m
  hetir.free %p to %heap : !llvm.ptr<1> : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %bad = llvm.icmp "eq" %k, %zero : i32
  llvm.cond_br %bad, ^fail, ^end
^fail:
  hetir.assert_fail %text, %text, %m, %text : !llvm.ptr<4>, !llvm.ptr<4>, !llvm.ptr<4>
  hetir.trap
  llvm.unreachable
^end:
  llvm.return
}
