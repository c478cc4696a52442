// RUN: het-opt %s --hetir-insert-safe-points="team-ops=true uniform-loops=true" --hetir-form-segments | FileCheck %s

// Threads end when they have gone through their part; the others go round the inner loop
// together. What is the same for all is carried behind that branch, a division too.
// CHECK-LABEL: llvm.func @strided(
// CHECK-NOT: __het_schedule
// CHECK: llvm.call @strided.segment.1
// CHECK: llvm.call @__het_any_alive
llvm.func @strided(%a: !llvm.ptr, %n: i32, %rounds: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %dim = hetir.block_dim x
  %has = llvm.icmp "slt" %t, %n : i32
  llvm.cond_br %has, ^outer(%t, %rounds : i32, i32), ^end
^outer(%i: i32, %left: i32):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^inner(%zero, %v : i32, i32)
^inner(%k: i32, %w: i32):
  %w1 = llvm.mul %w, %k : i32
  %k1 = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %k1, %left : i32
  llvm.cond_br %more, ^inner(%k1, %w1 : i32, i32), ^next
^next:
  llvm.store %w1, %p : i32, !llvm.ptr
  %fewer = llvm.sdiv %left, %dim : i32
  %i1 = llvm.add %i, %dim : i32
  %again = llvm.icmp "slt" %i1, %n : i32
  llvm.cond_br %again, ^outer(%i1, %fewer : i32, i32), ^end
^end:
  llvm.return
}
