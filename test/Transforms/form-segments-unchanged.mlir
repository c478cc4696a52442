// RUN: het-opt %s --hetir-insert-safe-points="parkable=true poll-interval=1 team-ops=true" --hetir-form-segments=schedule=true --split-input-file | FileCheck %s

// Between the barriers a branch brings a value and an address together with themselves: both
// stay in their slots. What differs by the way is stored, and the pc.
// CHECK-LABEL: llvm.func internal @carried.segment.1(
// CHECK: ^bb{{.*}}(%{{.*}}: i32, %{{.*}}: !llvm.ptr<3>, %[[DIFFERS:.*]]: i32):
// CHECK-NOT: llvm.store
// CHECK: llvm.store %[[DIFFERS]], {{.*}} : i32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: %[[PC:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT: llvm.store %[[PC]], {{.*}} : i32, !llvm.ptr
// CHECK-NEXT: llvm.br
llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @carried(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %limit = llvm.mlir.constant(7 : i32) : i32
  %t = hetir.thread_id x
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %kept = llvm.load %p : !llvm.ptr -> i32
  %object = llvm.mlir.addressof @table : !llvm.ptr<3>
  %place = llvm.getelementptr %object[%kept] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  hetir.barrier
  %few = llvm.icmp "slt" %kept, %limit : i32
  llvm.cond_br %few, ^write, ^join(%kept, %place, %two : i32, !llvm.ptr<3>, i32)
^write:
  llvm.store %kept, %place : i32, !llvm.ptr<3>
  llvm.br ^join(%kept, %place, %one : i32, !llvm.ptr<3>, i32)
^join(%same: i32, %there: !llvm.ptr<3>, %differs: i32):
  hetir.barrier
  %read = llvm.load %there : !llvm.ptr<3> -> i32
  %sum = llvm.add %read, %same : i32
  %more = llvm.add %sum, %differs : i32
  llvm.store %more, %p : i32, !llvm.ptr
  llvm.return
}

// -----

// Likewise where blocks can be parked, and the address is kept as its distance from the object.
// CHECK-LABEL: llvm.func internal @parkable.resume.segment.2(
// CHECK: llvm.sub %{{.*}}, %{{.*}} : i64
// CHECK-NEXT: llvm.br
// CHECK-NOT: llvm.store
// CHECK: %[[PC:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT: llvm.store %[[PC]], {{.*}} : i32, !llvm.ptr
// CHECK-NEXT: llvm.br
llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @parkable(%a: !llvm.ptr, %rounds: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %limit = llvm.mlir.constant(7 : i32) : i32
  %t = hetir.thread_id x
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %kept = llvm.load %p : !llvm.ptr -> i32
  %object = llvm.mlir.addressof @table : !llvm.ptr<3>
  %place = llvm.getelementptr %object[%kept] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^round(%zero : i32)
^round(%i: i32):
  hetir.barrier
  %few = llvm.icmp "slt" %kept, %limit : i32
  llvm.cond_br %few, ^write, ^join(%place, %two : !llvm.ptr<3>, i32)
^write:
  llvm.store %kept, %place : i32, !llvm.ptr<3>
  llvm.br ^join(%place, %one : !llvm.ptr<3>, i32)
^join(%there: !llvm.ptr<3>, %differs: i32):
  hetir.barrier
  %read = llvm.load %there : !llvm.ptr<3> -> i32
  %sum = llvm.add %read, %differs : i32
  llvm.store %sum, %p : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %rounds : i32
  llvm.cond_br %more, ^round(%next : i32), ^end
^end:
  llvm.return
}
