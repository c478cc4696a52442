// A kernel that can be suspended has a second way in, looks at the block's flag, and says
// what a thread's state takes; another has neither.
//
// REQUIRES: host-pass
// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --hetir-form-segments | host-pass convert - | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | host-pass convert - | FileCheck %s --check-prefix=PLAIN --implicit-check-not=het_resume

// CHECK: // layout: yes, bytes of a thread: 12
// The flag, to which the record leads at 112, is read as memory that others write.
// CHECK-LABEL: llvm.func internal @kernel(
// CHECK: llvm.getelementptr inbounds %arg0[112]
// CHECK-NEXT: %[[FLAG:.*]] = llvm.load
// CHECK-NEXT: llvm.load %[[FLAG]] atomic monotonic {alignment = 4 : i64}
// CHECK-LABEL: llvm.func @het_run(
// CHECK: llvm.call @kernel(
// CHECK-LABEL: llvm.func @het_resume(
// CHECK: llvm.call @kernel.resume(
// PLAIN: // layout: none, bytes of a thread: 0
// PLAIN-NOT: atomic
// PLAIN: llvm.func @het_run(
llvm.func @kernel(%b: !llvm.ptr<1>, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  hetir.barrier
  llvm.store volatile %i, %b : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.return
}
