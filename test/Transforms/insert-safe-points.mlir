// RUN: het-opt %s --hetir-insert-safe-points --split-input-file | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --split-input-file | FileCheck %s --check-prefix=TEAM
// RUN: het-opt %s --hetir-insert-safe-points=uniform-loops=true --split-input-file | FileCheck %s --check-prefix=LOOP
// Safe points stay as they are when the pass runs again.
// RUN: het-opt %s --hetir-insert-safe-points --split-input-file > %t.once
// RUN: het-opt %s --hetir-insert-safe-points --hetir-insert-safe-points --split-input-file > %t.twice
// RUN: grep -o "safe_point [0-9]* [a-z]*" %t.once > %t.once.points
// RUN: grep -o "safe_point [0-9]* [a-z]*" %t.twice > %t.twice.points
// RUN: diff %t.once.points %t.twice.points

// A loaded value crosses the barrier; the address, which can be recomputed, does not.
// CHECK-LABEL: llvm.func @across
// CHECK: hetir.safe_point 0 entry
// CHECK: %[[V:.*]] = llvm.load
// CHECK: %[[R:.*]] = hetir.safe_point 1 barrier(%[[V]] : f32) {hetir.slots = array<i32: 0>}
// CHECK-NEXT: hetir.barrier
// CHECK: llvm.fadd %[[R]], %[[R]]
llvm.func @across(%a: !llvm.ptr) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %i = llvm.zext %t : i32 to i64
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %p : !llvm.ptr -> f32
  hetir.barrier
  %s = llvm.fadd %v, %v : f32
  llvm.store %s, %p : f32, !llvm.ptr
  llvm.return
}

// -----

// A value carried round a loop with a barrier keeps its slot; the loop's block
// arguments take the safe point's results.
// CHECK-LABEL: llvm.func @loop
// CHECK: ^bb1(%[[I:.*]]: i32, %[[S:.*]]: f32)
// CHECK: %[[L:.*]]:2 = hetir.safe_point 1 barrier(%[[I]], %[[S]] : i32, f32) {hetir.slots = array<i32: 0, 1>}
// CHECK: llvm.add %[[L]]#0
// CHECK: llvm.fadd %[[L]]#1
// In a header of a loop whose trip count is uniform, and where it is left.
// LOOP-LABEL: llvm.func @loop
// LOOP: hetir.safe_point 1 loop
// LOOP: hetir.safe_point {{[0-9]+}} barrier
// LOOP: hetir.safe_point {{[0-9]+}} loop
llvm.func @loop(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %start = llvm.load %a : !llvm.ptr -> f32
  llvm.br ^head(%zero, %start : i32, f32)
^head(%i: i32, %s: f32):
  hetir.barrier
  %next = llvm.add %i, %one : i32
  %sum = llvm.fadd %s, %s : f32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next, %sum : i32, f32), ^exit
^exit:
  llvm.store %sum, %a : f32, !llvm.ptr
  llvm.return
}

// -----

// A shuffle is a sync point for machines without teams. Its operands are live.
// CHECK-LABEL: llvm.func @team
// CHECK-NOT: safe_point 1
// TEAM-LABEL: llvm.func @team
// TEAM: %[[R:.*]] = hetir.safe_point 1 team(%{{.*}} : f32)
// TEAM-NEXT: hetir.shuffle down %{{.*}}, %[[R]]
llvm.func @team(%a: !llvm.ptr) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %by = llvm.mlir.constant(16 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %v = llvm.load %a : !llvm.ptr -> f32
  %w, %in = hetir.shuffle down %mask, %v, %by, %clamp : f32
  llvm.store %w, %a : f32, !llvm.ptr
  llvm.return
}

// -----

// A local object is memory of the frame: its address is not live.
// CHECK-LABEL: llvm.func @local
// CHECK: hetir.safe_point 1 barrier {hetir.slots = array<i32>}
llvm.func @local(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %v = llvm.load %a : !llvm.ptr -> f32
  llvm.store %v, %x : f32, !llvm.ptr
  hetir.barrier
  %w = llvm.load %x : !llvm.ptr -> f32
  llvm.store %w, %a : f32, !llvm.ptr
  llvm.return
}

// -----

// Values meet where ways join: one that was stored at a point on one of them, a loop's,
// and one that only one way passes a point with.
// CHECK-LABEL: llvm.func @joins
// CHECK: %[[V:.*]] = llvm.load
// CHECK: llvm.cond_br %{{.*}}, ^[[WAIT:bb[0-9]+]], ^[[AGAIN:bb[0-9]+]](%{{.*}}, %[[V]] : i32, f32)
// CHECK: ^[[WAIT]]:
// CHECK: %[[R:.*]] = hetir.safe_point 1 barrier(%[[V]] : f32)
// CHECK: llvm.br ^[[AGAIN]](%{{.*}}, %[[R]] : i32, f32)
// CHECK: ^[[AGAIN]](%[[I:.*]]: i32, %[[M:.*]]: f32):
// CHECK: %[[L:.*]]:2 = hetir.safe_point 2 barrier(%[[M]], %[[I]] : f32, i32)
// CHECK: llvm.cond_br %{{.*}}, ^[[AGAIN]](%{{.*}}, %[[L]]#0 : i32, f32)
// CHECK: llvm.store %[[L]]#0
llvm.func @joins(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load %a : !llvm.ptr -> f32
  %c = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %c, ^wait, ^loop(%zero : i32)
^wait:
  hetir.barrier
  llvm.br ^loop(%one : i32)
^loop(%i: i32):
  hetir.barrier
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.store %v, %a : f32, !llvm.ptr
  llvm.return
}
