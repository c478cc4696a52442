// RUN: het-opt %s --hetir-strip-mine-loops --split-input-file | FileCheck %s
// RUN: het-opt %s --hetir-strip-mine-loops=poll-interval=0 --split-input-file \
// RUN:   | FileCheck --check-prefix=NONE %s

// A loop that counts is what it was, with a nearer bound. The poll of threads that go round
// together is a barrier, and its point carries nothing yet: it only has an id of its own.
// NONE-NOT: hetir.poll_interval
// NONE-NOT: safe_point {{[0-9]+}} poll
// CHECK-LABEL: llvm.func @counts
// CHECK: hetir.safe_point 0 entry
// CHECK: hetir.poll_interval
// CHECK: %[[LIMIT:.*]] = llvm.intr.smin
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[NEXT:.*]], %[[LIMIT]]
// CHECK: llvm.cond_br %[[MORE]]
// CHECK: hetir.safe_point 1 poll
// CHECK-NEXT: hetir.barrier
// CHECK-NOT: hetir.strip
// CHECK: llvm.return
llvm.func @counts(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  hetir.safe_point 0 entry
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

// Any other loop sums up its work. Threads that may not wait for each other poll one by one:
// no barrier, and marks by which strips are taken back.
// CHECK-LABEL: llvm.func @chases
// CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %{{.*}} {hetir.strip = array<i32: 0, 0>}
// CHECK: llvm.icmp "eq" %[[SUM]]
// CHECK: hetir.safe_point 0 poll
// CHECK-NOT: hetir.barrier
// CHECK: llvm.return
llvm.func @other()
llvm.func @chases(%a: !llvm.ptr) attributes {hetir.kernel} {
  llvm.call @other() : () -> ()
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%i: i32):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %next = llvm.load %p : !llvm.ptr -> i32
  %found = llvm.icmp "eq" %next, %zero : i32
  llvm.cond_br %found, ^end, ^loop(%next : i32)
^end:
  llvm.return
}

// -----

// Few rounds, of which it is known: no poll.
// CHECK-LABEL: llvm.func @few
// CHECK-NOT: hetir.poll_interval
// CHECK-NOT: hetir.safe_point
// CHECK: llvm.return
llvm.func @few(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ten = llvm.mlir.constant(10 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %ten : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}
