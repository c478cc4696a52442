// RUN: het-opt %s --hetir-insert-loop-points --split-input-file | FileCheck %s

// A loop whose way out is the same for all threads gets points in its header and at its exit,
// behind the others by id and by slot. What lives there goes through them.
// CHECK-LABEL: llvm.func @uniform
// CHECK: %[[V:.*]] = hetir.safe_point 1 barrier(%{{.*}} : i32) {hetir.slots = array<i32: 0>}
// CHECK-NEXT: hetir.barrier
// CHECK: ^{{.*}}(%[[X:.*]]: i32, %[[I:.*]]: i32):
// CHECK-NEXT: %[[R:.*]]:2 = hetir.safe_point 2 loop(%[[I]], %[[X]] : i32, i32) {hetir.additional, hetir.slots = array<i32: 1, 2>}
// CHECK: llvm.store %[[R]]#0
// CHECK: llvm.add %[[R]]#1
// CHECK: %[[E:.*]] = hetir.safe_point 3 loop(%[[R]]#0 : i32) {hetir.additional, hetir.slots = array<i32: 1>}
// CHECK-NEXT: llvm.store %[[E]]
llvm.func @uniform(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  hetir.safe_point 0 entry {hetir.slots = array<i32>}
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.load %a : !llvm.ptr -> i32
  %v = hetir.safe_point 1 barrier(%x : i32) {hetir.slots = array<i32: 0>}
  hetir.barrier
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  llvm.store %v, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.store %v, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// No points where threads leave apart, nor a second one where one is.
// CHECK-LABEL: llvm.func @apart
// CHECK-NOT: hetir.additional
// CHECK-LABEL: llvm.func @has_points
// CHECK-NOT: hetir.additional
llvm.func @apart(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%one : i32)
^loop(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %t : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

llvm.func @has_points(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%one : i32)
^loop(%i: i32):
  %r = hetir.safe_point 0 loop(%i : i32) {hetir.slots = array<i32: 0>}
  llvm.store %r, %a : i32, !llvm.ptr
  %next = llvm.add %r, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  hetir.safe_point 1 loop {hetir.slots = array<i32>}
  llvm.return
}
