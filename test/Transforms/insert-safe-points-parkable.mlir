// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --split-input-file | FileCheck %s

// A loop that all threads of a block go round together: a barrier, each time that so
// much work is done.
// CHECK-LABEL: llvm.func @together
// CHECK-SAME: hetir.layout
// CHECK: ^[[COUNT:.*]](%[[I:.*]]: i32):
// CHECK: %[[LEFT:.*]] = llvm.sub
// CHECK: %[[USED:.*]] = llvm.icmp "slt" %[[LEFT]]
// CHECK: llvm.cond_br %[[USED]] weights([1, 8192]), ^[[POLL:.*]], ^[[HEADER:.*]](%[[I]], %[[LEFT]] : i32, i32)
// CHECK: ^[[POLL]]:
// CHECK: %[[R:.*]] = hetir.safe_point 1 poll(%[[I]] : i32)
// CHECK-NEXT: hetir.barrier
// CHECK: llvm.br ^[[HEADER]](%[[R]],
llvm.func @together(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// Threads that leave a loop at different times poll alone.
// CHECK-LABEL: llvm.func @alone
// CHECK: hetir.safe_point {{[0-9]+}} poll
// CHECK-NOT: hetir.barrier
// CHECK: llvm.return
llvm.func @alone(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.sub %i, %one : i32
  %more = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// The address of a shared object is kept as its distance from the object.
// CHECK-LABEL: llvm.func @distance
// CHECK: %[[P:.*]] = llvm.getelementptr
// CHECK: %[[S:.*]] = llvm.mlir.addressof @buffer
// CHECK: %[[TO:.*]] = llvm.ptrtoint %[[P]]
// CHECK: %[[FROM:.*]] = llvm.ptrtoint %[[S]]
// CHECK: %[[D:.*]] = llvm.sub %[[TO]], %[[FROM]]
// CHECK: %[[R:.*]]:2 = hetir.safe_point 1 barrier(%{{.*}}, %[[D]] : i32, i64)
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: llvm.getelementptr %[[S]][%[[R]]#1]
llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @distance(%a: !llvm.ptr) attributes {hetir.kernel} {
  %b = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %i = llvm.load %a : !llvm.ptr -> i32
  %p = llvm.getelementptr %b[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  hetir.barrier
  llvm.store %i, %p : i32, !llvm.ptr<3>
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @kept
// CHECK-SAME: hetir.unparkable = "an object's address is stored in memory"
// CHECK-NOT: poll
// CHECK: llvm.return
llvm.func @kept(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %l, %a : !llvm.ptr, !llvm.ptr
  llvm.br ^loop(%one : i32)
^loop(%i: i32):
  llvm.store %i, %l : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @either
// CHECK-SAME: hetir.unparkable = "an address may be that of several objects"
llvm.func @either(%a: !llvm.ptr, %c: i1) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %m = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i1
  %p = llvm.select %x, %l, %m : i1, !llvm.ptr
  hetir.barrier
  llvm.store %one, %p : i32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @counted
// CHECK-SAME: hetir.unparkable = "a barrier has a number or a count"
llvm.func @counted() attributes {hetir.kernel} {
  hetir.barrier id 1
  llvm.return
}

// -----

// What is written of an argument that lies in memory is a local object, and so part of
// the state.
// CHECK-LABEL: llvm.func @argument
// CHECK: %[[L:.*]] = llvm.alloca
// CHECK: hetir.safe_point 0 entry
// CHECK: "llvm.intr.memcpy"(%[[L]], %arg0
// CHECK: llvm.store %{{.*}}, %[[L]]
llvm.func @argument(%s: !llvm.ptr {llvm.byval = !llvm.array<4 x i32>}) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %s : i32, !llvm.ptr
  llvm.return
}
