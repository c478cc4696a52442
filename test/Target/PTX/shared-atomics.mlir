// Atomic operations that shared memory has no instruction for are loops in PTX, in which
// ptxas sees where lanes meet again.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

llvm.mlir.global internal @word() {addr_space = 3 : i32, alignment = 4 : i64} : i32
llvm.mlir.global internal @wide() {addr_space = 3 : i32, alignment = 8 : i64} : i64
llvm.mlir.global internal @number() {addr_space = 3 : i32, alignment = 4 : i64} : f32

// CHECK-LABEL: .visible .entry loops(
// CHECK: [[WIDE:\$L.*]]:
// CHECK: atom{{.*}}.shared{{.*}}.cas.b64
// CHECK: @%p{{[0-9]+}} bra [[WIDE]];
// CHECK: [[NUMBER:\$L.*]]:
// CHECK: atom{{.*}}.shared{{.*}}.cas.b32
// CHECK: @%p{{[0-9]+}} bra [[NUMBER]];
llvm.func @loops(%out: !llvm.ptr<1>, %x: i64, %y: f32) attributes {hetir.kernel} {
  %wide = llvm.mlir.addressof @wide : !llvm.ptr<3>
  %number = llvm.mlir.addressof @number : !llvm.ptr<3>
  %a = llvm.atomicrmw add %wide, %x monotonic : !llvm.ptr<3>, i64
  %b = llvm.atomicrmw fadd %number, %y monotonic : !llvm.ptr<3>, f32
  llvm.store %a, %out : i64, !llvm.ptr<1>
  %next = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %b, %next : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry instructions(
// CHECK: atom{{.*}}.shared{{.*}}.add.u32
// CHECK: atom{{.*}}.shared{{.*}}.exch.b64
// CHECK: atom{{.*}}.global{{.*}}.add{{.*}}.f32
// CHECK: ret;
llvm.func @instructions(%out: !llvm.ptr<1>, %x: i32, %y: i64, %z: f32) attributes {hetir.kernel} {
  %word = llvm.mlir.addressof @word : !llvm.ptr<3>
  %wide = llvm.mlir.addressof @wide : !llvm.ptr<3>
  %a = llvm.atomicrmw add %word, %x monotonic : !llvm.ptr<3>, i32
  %b = llvm.atomicrmw xchg %wide, %y monotonic : !llvm.ptr<3>, i64
  %c = llvm.atomicrmw fadd %out, %z monotonic : !llvm.ptr<1>, f32
  llvm.store %a, %out : i32, !llvm.ptr<1>
  llvm.store %b, %out : i64, !llvm.ptr<1>
  llvm.store %c, %out : f32, !llvm.ptr<1>
  llvm.return
}
