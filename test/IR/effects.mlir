// Common cleanups merge and remove what is a thread's own, and leave alone what
// concerns several threads.
//
// RUN: het-opt %s --cse --canonicalize | FileCheck %s

// CHECK-LABEL: llvm.func @own
llvm.func @own() -> i32 {
  // CHECK-COUNT-1: hetir.thread_id x
  // CHECK-NOT: hetir
  %0 = hetir.thread_id x
  %1 = hetir.thread_id x
  %unused = hetir.lane_id
  %2 = llvm.add %0, %1 : i32
  llvm.return %2 : i32
}

// CHECK-LABEL: llvm.func @several
llvm.func @several(%mask: i32, %p: i1, %q: !llvm.ptr) -> i32 {
  // CHECK: hetir.ballot
  %0 = hetir.ballot %mask, %p
  // CHECK-NEXT: hetir.ballot
  %1 = hetir.ballot %mask, %p
  // CHECK-NEXT: hetir.vote any
  %unused = hetir.vote any %mask, %p
  // CHECK-NEXT: hetir.barrier
  hetir.barrier
  // CHECK-NEXT: hetir.barrier
  hetir.barrier
  // CHECK-NEXT: hetir.clock cycles32
  %clock = hetir.clock cycles32 : i32
  // CHECK-NEXT: llvm.load
  %2 = llvm.load %q : !llvm.ptr -> i32
  // CHECK-NEXT: hetir.barrier
  hetir.barrier
  // CHECK-NEXT: llvm.load
  %3 = llvm.load %q : !llvm.ptr -> i32
  %4 = llvm.add %0, %1 : i32
  %5 = llvm.add %2, %3 : i32
  %6 = llvm.add %4, %5 : i32
  llvm.return %6 : i32
}
