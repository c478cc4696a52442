// Where lanes that have gone apart are stopped: behind stores that they made apart, once
// they have met; not where an earlier round of their loop stored, nor where one is alone.
//
// RUN: het-opt %s --hetir-insert-safe-points=team-ops --split-input-file | FileCheck %s

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// A copy is a load.
// CHECK-LABEL: llvm.func @met
// CHECK: ^bb1:
// CHECK: ^bb2:
// CHECK-NOT: safe_point
// CHECK: ^bb3:
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.intr.memcpy
llvm.func @met(%p: !llvm.ptr, %way: !llvm.ptr) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %size = llvm.mlir.constant(16 : i64) : i64
  %own = llvm.getelementptr %way[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %place = llvm.load %own : !llvm.ptr -> i32
  %isIn = llvm.icmp "sgt" %place, %zero : i32
  llvm.cond_br %isIn, ^in, ^out
^in:
  %odd = llvm.icmp "eq" %place, %t : i32
  llvm.cond_br %odd, ^store, ^behind
^store:
  %to = llvm.getelementptr %buffer[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %t, %to : i32, !llvm.ptr<3>
  llvm.br ^behind
^behind:
  %from = llvm.getelementptr %buffer[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  "llvm.intr.memcpy"(%p, %from, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<3>, i64) -> ()
  llvm.br ^out
^out:
  llvm.return
}

// -----

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// CHECK-LABEL: llvm.func @rounds
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @rounds(%p: !llvm.ptr) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %by = llvm.mlir.constant(16 : i32) : i32
  %own = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %count = llvm.load %own : !llvm.ptr -> i32
  llvm.br ^head(%t : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %more, ^body, ^out
^body:
  %next = llvm.add %i, %by : i32
  %from = llvm.getelementptr %buffer[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %from : !llvm.ptr<3> -> i32
  %to = llvm.getelementptr %buffer[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %value, %to : i32, !llvm.ptr<3>
  llvm.br ^head(%next : i32)
^out:
  hetir.barrier
  llvm.return
}

// -----

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// CHECK-LABEL: llvm.func @alone
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @alone(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %first = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %first, ^in, ^out
^in:
  %place = llvm.load %p : !llvm.ptr -> i32
  %odd = llvm.icmp "sgt" %place, %n : i32
  llvm.cond_br %odd, ^store, ^behind
^store:
  %to = llvm.getelementptr %buffer[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %t, %to : i32, !llvm.ptr<3>
  llvm.br ^behind
^behind:
  %from = llvm.getelementptr %buffer[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %from : !llvm.ptr<3> -> i32
  llvm.store %value, %p : i32, !llvm.ptr
  llvm.br ^out
^out:
  llvm.return
}
