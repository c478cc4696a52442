// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --split-input-file | FileCheck %s
// Safe points, and the rounds that are counted, stay as they are when the pass runs again.
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --split-input-file > %t.once
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true \
// RUN:   --hetir-insert-safe-points=team-ops=true --split-input-file > %t.twice
// RUN: grep -c "safe_point\|hetir.counted" %t.once > %t.once.points
// RUN: grep -c "safe_point\|hetir.counted" %t.twice > %t.twice.points
// RUN: diff %t.once.points %t.twice.points

// One place, until it changes: others run in each round.
// CHECK-LABEL: llvm.func @lock
// CHECK: ^bb1:
// CHECK-NEXT: hetir.safe_point 1 yield
// CHECK-NOT: hetir.counted
llvm.func @lock(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  %pair = llvm.cmpxchg %p, %zero, %one monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  llvm.cond_br %taken, ^end, ^loop
^end:
  llvm.return
}

// -----

// Another place each time, of which there are finitely many: others run once in many rounds.
// CHECK-LABEL: llvm.func @search
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, i32)
// CHECK: ^[[NEXT:bb[0-9]+]](%[[S:.*]]: i32):
// CHECK: %[[SUM:.*]] = llvm.add %[[COUNT:.*]], %{{.*}} : i32
// CHECK: %[[MANY:.*]] = llvm.icmp "eq" %[[SUM]]
// CHECK: llvm.cond_br %[[MANY]] weights([1, 128]), ^[[WAIT:bb[0-9]+]], ^[[HEAD]](%[[S]], %[[SUM]] : i32, i32)
// CHECK: ^[[WAIT]]:
// CHECK: %[[LIVE:.*]] = hetir.safe_point 1 yield(%[[S]] : i32)
// CHECK: llvm.br ^[[HEAD]](%[[LIVE]], %{{.*}} : i32, i32) {hetir.counted}
// CHECK: ^[[HEAD]](%{{.*}}: i32, %[[COUNT]]: i32):
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[NEXT]]
llvm.func @search(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %one monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %up = llvm.add %s, %one : i32
  %next = llvm.urem %up, %n : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  llvm.return
}

// -----

// A swap of what has been read fails where another thread has got on.
// CHECK-LABEL: llvm.func @retry
// CHECK-NOT: yield
// CHECK-NOT: hetir.counted
// CHECK: llvm.return
llvm.func @retry(%p: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %first = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^loop(%first : i32)
^loop(%old: i32):
  %new = llvm.add %old, %one : i32
  %pair = llvm.cmpxchg %p, %old, %new monotonic monotonic : !llvm.ptr, i32
  %now = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
  %failed = llvm.icmp "ne" %now, %old : i32
  llvm.cond_br %failed, ^loop(%now : i32), ^end
^end:
  llvm.return
}

// -----

// So it does where the loop has other ends too, and reads anew itself.
// CHECK-LABEL: llvm.func @least
// CHECK-NOT: yield
// CHECK: llvm.return
llvm.func @least(%p: !llvm.ptr, %x: i32) attributes {hetir.kernel} {
  llvm.br ^loop
^loop:
  %old = llvm.load volatile %p : !llvm.ptr -> i32
  %less = llvm.icmp "slt" %x, %old : i32
  llvm.cond_br %less, ^swap, ^end
^swap:
  %pair = llvm.cmpxchg %p, %old, %x monotonic monotonic : !llvm.ptr, i32
  %done = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  llvm.cond_br %done, ^end, ^loop
^end:
  llvm.return
}

// -----

// Not where a swap may succeed and the loop goes on: a semaphore that is zero.
// CHECK-LABEL: llvm.func @semaphore
// CHECK: hetir.safe_point 1 yield
// CHECK: hetir.counted
llvm.func @semaphore(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %first = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^loop(%first : i32)
^loop(%old: i32):
  %less = llvm.sub %old, %one : i32
  %new = llvm.intr.smax(%less, %zero) : (i32, i32) -> i32
  %pair = llvm.cmpxchg %p, %old, %new monotonic monotonic : !llvm.ptr, i32
  %now = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
  %failed = llvm.icmp "ne" %now, %old : i32
  %none = llvm.icmp "eq" %old, %zero : i32
  %again = llvm.or %failed, %none : i1
  llvm.cond_br %again, ^loop(%now : i32), ^end
^end:
  llvm.return
}

// -----

// A ticket is another one each time.
// CHECK-LABEL: llvm.func @tickets
// CHECK-NOT: yield
// CHECK: llvm.return
llvm.func @tickets(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  %ticket = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
  %more = llvm.icmp "ult" %ticket, %n : i32
  llvm.cond_br %more, ^loop, ^end
^end:
  llvm.return
}

// -----

// Not where it is given back. Others run while this thread has none, or all would have one.
// CHECK-LABEL: llvm.func @taken_back
// CHECK: hetir.safe_point 1 yield
// CHECK-NEXT: llvm.atomicrmw add
// CHECK: llvm.atomicrmw sub
llvm.func @taken_back(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  %before = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
  %free = llvm.icmp "eq" %before, %zero : i32
  llvm.cond_br %free, ^end, ^back
^back:
  %x = llvm.atomicrmw sub %p, %one monotonic : !llvm.ptr, i32
  llvm.br ^loop
^end:
  llvm.return
}

// -----

// Lanes that add zero only look.
// CHECK-LABEL: llvm.func @some_add
// CHECK: hetir.safe_point 1 yield
llvm.func @some_add(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  %isFirst = llvm.icmp "eq" %t, %zero : i32
  %part = llvm.zext %isFirst : i1 to i32
  llvm.br ^loop
^loop:
  %sum = llvm.atomicrmw add %p, %part monotonic : !llvm.ptr, i32
  %less = llvm.icmp "ult" %sum, %n : i32
  llvm.cond_br %less, ^loop, ^end
^end:
  llvm.return
}

// -----

// What is looked at may lie in memory in between.
// CHECK-LABEL: llvm.func @kept
// CHECK: hetir.safe_point 1 yield
llvm.func @kept(%p: !llvm.ptr, %i: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %kept = llvm.alloca %four x i32 : (i32) -> !llvm.ptr
  %at = llvm.getelementptr %kept[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %zero, %at : i32, !llvm.ptr
  llvm.br ^loop
^loop:
  %new = llvm.atomicrmw _or %p, %zero monotonic : !llvm.ptr, i32
  llvm.store %new, %at : i32, !llvm.ptr
  %now = llvm.load %at : !llvm.ptr -> i32
  %none = llvm.icmp "eq" %now, %zero : i32
  llvm.cond_br %none, ^loop, ^end
^end:
  llvm.return
}
