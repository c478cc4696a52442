// RUN: het-opt %s --hetir-vote-on-loops --split-input-file | FileCheck %s

// Threads leave this loop when they like. Each brings what is used behind it to the vote, and
// all go on from there together, so that a barrier may follow.
// CHECK-LABEL: llvm.func @searches
// CHECK: llvm.br ^[[AGAIN:bb[0-9]+]](%{{.*}}, %{{.*}} : i1, i32)
// CHECK: ^[[AGAIN]](%[[GOES:.*]]: i1, %[[X:.*]]: i32):
// CHECK-NEXT: llvm.cond_br %[[GOES]], ^[[LOOP:bb[0-9]+]](%[[X]] : i32), ^[[VOTE:bb[0-9]+]](%[[GOES]], %[[X]] : i1, i32)
// CHECK: ^[[LOOP]](
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](%[[NEXT:.*]] : i32), ^[[LEFT:bb[0-9]+]]
// CHECK: ^[[LEFT]]:
// CHECK-NEXT: %[[NO:.*]] = llvm.mlir.constant(false)
// CHECK-NEXT: llvm.br ^[[VOTE]](%[[NO]], %[[NEXT]] : i1, i32)
// CHECK: ^[[VOTE]](%[[G:.*]]: i1, %[[KEPT:.*]]: i32):
// CHECK-NEXT: hetir.barrier_reduce or %[[G]] {hetir.vote}
// CHECK: llvm.cond_br %{{.*}}, ^[[POLL:bb[0-9]+]], ^[[LEAVE:bb[0-9]+]]
// CHECK: ^[[POLL]]:
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: llvm.br ^[[AGAIN]](
// CHECK-NOT: hetir.safe_point
// CHECK: llvm.store %[[KEPT]]
// CHECK: hetir.barrier
llvm.func @searches(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %three = llvm.mlir.constant(3 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %next = llvm.mul %x, %three : i32
  %more = llvm.icmp "ugt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^done
^done:
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %next, %p : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// -----

// No vote where one thread may wait for another in the loop, nor where all leave together.
// CHECK-LABEL: llvm.func @waits
// CHECK-NOT: hetir.vote
// CHECK-LABEL: llvm.func @uniform
// CHECK-NOT: hetir.vote
llvm.func @waits(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %next = llvm.atomicrmw add %a, %x monotonic : !llvm.ptr, i32
  %more = llvm.icmp "ugt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^done
^done:
  llvm.store %next, %a : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

llvm.func @uniform(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %three = llvm.mlir.constant(3 : i32) : i32
  llvm.br ^loop(%three : i32)
^loop(%x: i32):
  %next = llvm.mul %x, %three : i32
  %more = llvm.icmp "ugt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^done
^done:
  llvm.store %next, %a : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// -----

// Kernels that are not polled are left alone.
// CHECK-LABEL: llvm.func @at_barriers
// CHECK-NOT: hetir.vote
llvm.func @at_barriers(%a: !llvm.ptr, %n: i32)
    attributes {hetir.kernel, hetir.safe_points = "barriers"} {
  %three = llvm.mlir.constant(3 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %next = llvm.mul %x, %three : i32
  %more = llvm.icmp "ugt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^done
^done:
  llvm.store %next, %a : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}
