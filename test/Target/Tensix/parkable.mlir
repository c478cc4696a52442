// A kernel that is parked: two ways into it, a look at the flag, and its segments note
// where they are.

// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --hetir-form-segments | tensix-pass convert - | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | tensix-pass convert - | FileCheck %s --check-prefix=PLAIN

// CHECK: // layout: yes, bytes of a thread: {{[1-9]}}
// PLAIN: // layout: none, bytes of a thread: 0

// The core's library reads the flag.
// CHECK-LABEL: llvm.func internal @kernel(
// CHECK: %[[FLAG:.*]] = llvm.call @het_core_parking() : () -> i32
// CHECK: %[[ASKED:.*]] = llvm.icmp "ne" %[[FLAG]]
// CHECK: llvm.cond_br %[[ASKED]]
// PLAIN-LABEL: llvm.func internal @kernel(
// PLAIN-NOT: @het_core_parking

// CHECK-LABEL: llvm.func internal @kernel.segment.
// CHECK: llvm.store volatile
// CHECK-LABEL: llvm.func @het_tensix_run(
// CHECK: llvm.call @kernel(
// CHECK-LABEL: llvm.func @het_tensix_resume(
// CHECK: llvm.call @kernel.resume(
// PLAIN-LABEL: llvm.func @het_tensix_run(
// PLAIN-NOT: @het_tensix_resume
llvm.func @kernel(%b: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  hetir.barrier
  llvm.store %i, %b : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.return
}
