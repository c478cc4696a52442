// RUN: het-opt %s --hetir-encode-addresses --split-input-file --verify-diagnostics | FileCheck %s

// The address of a shared object is a distance from it (i64) at the point, and an address
// again behind the sync point. One that leads elsewhere stays as it is.
// CHECK-LABEL: llvm.func @shared
// CHECK: %[[P:.*]] = llvm.getelementptr
// CHECK: %[[S:.*]] = llvm.mlir.addressof @buffer
// CHECK: %[[TO:.*]] = llvm.ptrtoint %[[P]]
// CHECK: %[[FROM:.*]] = llvm.ptrtoint %[[S]]
// CHECK: %[[D:.*]] = llvm.sub %[[TO]], %[[FROM]]
// CHECK: %[[R:.*]]:3 = hetir.safe_point 1 barrier(%{{.*}}, %[[D]], %[[G:.*]] : i32, i64, !llvm.ptr) {hetir.slots = array<i32: 0, 1, 2>}
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: %[[AGAIN:.*]] = llvm.getelementptr %[[S]][%[[R]]#1]
// CHECK: llvm.store %[[R]]#0, %[[AGAIN]]
// CHECK: llvm.store %[[R]]#0, %[[R]]#2
llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @shared(%a: !llvm.ptr) attributes {hetir.kernel} {
  hetir.safe_point 0 entry {hetir.slots = array<i32>}
  %b = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %i = llvm.load %a : !llvm.ptr -> i32
  %g = llvm.load %a : !llvm.ptr -> !llvm.ptr
  %p = llvm.getelementptr %b[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %r:3 = hetir.safe_point 1 barrier(%i, %p, %g : i32, !llvm.ptr<3>, !llvm.ptr) {hetir.slots = array<i32: 0, 1, 2>}
  hetir.barrier
  llvm.store %r#0, %r#1 : i32, !llvm.ptr<3>
  llvm.store %r#0, %r#2 : i32, !llvm.ptr
  llvm.return
}

// -----

// A slot has one type: a distance leaves one that an address stays in.
// CHECK-LABEL: llvm.func @slots
// CHECK: hetir.safe_point 1 barrier(%{{.*}} : !llvm.ptr) {hetir.slots = array<i32: 0>}
// CHECK: hetir.safe_point 2 barrier(%{{.*}} : i64) {hetir.slots = array<i32: 1>}
llvm.func @slots(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  hetir.safe_point 0 entry {hetir.slots = array<i32>}
  %g = llvm.load %a : !llvm.ptr -> !llvm.ptr
  %x = hetir.safe_point 1 barrier(%g : !llvm.ptr) {hetir.slots = array<i32: 0>}
  hetir.barrier
  %i = llvm.load %x : !llvm.ptr -> i32
  %p = llvm.getelementptr %l[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = hetir.safe_point 2 barrier(%p : !llvm.ptr) {hetir.slots = array<i32: 0>}
  hetir.barrier
  llvm.store %one, %y : i32, !llvm.ptr
  llvm.return
}

// -----

// In a loop an address comes back to its own point.
// CHECK-LABEL: llvm.func @round
// CHECK: ^[[LOOP:bb[0-9]+]](%[[Q:.*]]: !llvm.ptr<3>):
// CHECK: %[[R:.*]] = hetir.safe_point 1 loop(%{{.*}} : i64)
// CHECK-NEXT: %[[AGAIN:.*]] = llvm.getelementptr %{{.*}}[%[[R]]]
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[AGAIN]][1]
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](%[[NEXT]] : !llvm.ptr<3>)
llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @round(%n: i32) attributes {hetir.kernel} {
  hetir.safe_point 0 entry {hetir.slots = array<i32>}
  %b = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  llvm.br ^loop(%b : !llvm.ptr<3>)
^loop(%q: !llvm.ptr<3>):
  %r = hetir.safe_point 1 loop(%q : !llvm.ptr<3>) {hetir.slots = array<i32: 0>}
  %v = llvm.load %r : !llvm.ptr<3> -> i32
  %next = llvm.getelementptr %r[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  %more = llvm.icmp "slt" %v, %n : i32
  llvm.cond_br %more, ^loop(%next : !llvm.ptr<3>), ^end
^end:
  llvm.return
}

// -----

llvm.func @either(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %m = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i1
  %p = llvm.select %x, %l, %m : i1, !llvm.ptr
  // expected-error @+1 {{an address may be that of several objects}}
  %r = hetir.safe_point 1 barrier(%p : !llvm.ptr) {hetir.slots = array<i32: 0>}
  hetir.barrier
  llvm.store %one, %r : i32, !llvm.ptr
  llvm.return
}
