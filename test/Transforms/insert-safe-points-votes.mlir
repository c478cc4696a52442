// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --split-input-file | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --hetir-form-segments --split-input-file \
// RUN:   | FileCheck --check-prefix=FORM %s

// Threads enter this loop together, or end, and leave it when they like: behind a strip all
// vote. Of a thread that has left only what is used behind the loop is kept, in the places of
// what the header of another one gets next.
// CHECK-LABEL: llvm.func @one_exit
// CHECK-SAME: hetir.parks_at_polls
// CHECK: llvm.cond_br %{{.*}}, ^[[ENTER:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, i32), ^[[END:bb[0-9]+]]
// CHECK: ^[[ENTER]](%[[X0:.*]]: i32, %[[K0:.*]]: i32):
// CHECK: %[[YES:.*]] = llvm.mlir.constant(true)
// CHECK: %[[IDLE:.*]] = llvm.mlir.zero : i32
// CHECK: %[[IDLE2:.*]] = llvm.mlir.zero : i32
// CHECK: llvm.br ^[[AGAIN:bb[0-9]+]](%[[YES]], %[[X0]], %[[K0]] : i1, i32, i32)
// CHECK: ^[[AGAIN]](%[[GOES:.*]]: i1, %[[X:.*]]: i32, %[[K:.*]]: i32):
// CHECK-NEXT: llvm.cond_br %[[GOES]], ^[[BEGIN:bb[0-9]+]](%[[X]], %[[K]] : i32, i32), ^[[VOTE:bb[0-9]+]](%[[GOES]], %[[X]], %[[K]] : i1, i32, i32)
// CHECK: ^[[BEGIN]](
// CHECK: hetir.poll_interval
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](%{{.*}}: i32, %{{.*}}: i32, %[[SUM:.*]]: i32):
// CHECK: %[[NEXT:.*]] = llvm.select
// CHECK: %[[K1:.*]] = llvm.add
// CHECK: %[[MORE:.*]] = llvm.icmp "ugt" %[[NEXT]]
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](%[[NEXT]], %[[K1]], %{{.*}} : i32, i32, i32), ^[[ASK:bb[0-9]+]]
// CHECK: ^[[ASK]]:
// CHECK-NEXT: llvm.cond_br %[[MORE]], ^[[STAY:bb[0-9]+]], ^[[LEFT:bb[0-9]+]]
// CHECK: ^[[STAY]]:
// CHECK-NEXT: llvm.br ^[[VOTE]](%[[YES]], %[[NEXT]], %[[K1]] : i1, i32, i32)
// CHECK: ^[[LEFT]]:
// CHECK-NEXT: %[[NO:.*]] = llvm.mlir.constant(false)
// CHECK-NEXT: llvm.br ^[[VOTE]](%[[NO]], %[[K1]], %[[IDLE2]] : i1, i32, i32)
// CHECK: ^[[VOTE]](%[[G:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK-NEXT: %[[V:.*]]:3 = hetir.safe_point 1 barrier(%[[G]], %[[A]], %[[B]] : i1, i32, i32)
// CHECK-NEXT: %[[ANY:.*]] = hetir.barrier_reduce or %[[V]]#0 {hetir.vote}
// CHECK: %[[ISANY:.*]] = llvm.icmp "ne" %[[ANY]]
// CHECK: llvm.cond_br %[[ISANY]], ^[[POLL:bb[0-9]+]], ^[[LEAVE:bb[0-9]+]]
// CHECK: ^[[POLL]]:
// CHECK-NEXT: %[[P:.*]]:3 = hetir.safe_point 2 poll(%[[V]]#0, %[[V]]#1, %[[V]]#2 : i1, i32, i32)
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: llvm.br ^[[AGAIN]](%[[P]]#0, %[[P]]#1, %[[P]]#2 : i1, i32, i32)
// CHECK: ^[[LEAVE]]:
// CHECK-NOT: safe_point
// CHECK: llvm.store %[[V]]#1

// On machines that run segments, too, it is parked there.
// FORM-LABEL: llvm.func @one_exit(
// FORM-SAME: hetir.resume = @one_exit.resume
// FORM: %[[ASKED:.*]] = hetir.parking
// FORM: llvm.icmp "ne" %[[ASKED]]
// FORM-NOT: __het_schedule_next
// FORM: llvm.call @one_exit.park.
llvm.func @one_exit(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^loop(%t, %zero : i32, i32), ^end
^loop(%x: i32, %k: i32):
  %half = llvm.lshr %x, %one : i32
  %m = llvm.mul %x, %three : i32
  %up = llvm.add %m, %one : i32
  %bit = llvm.and %x, %one : i32
  %odd = llvm.icmp "ne" %bit, %zero : i32
  %next = llvm.select %odd, %up, %half : i1, i32
  %k1 = llvm.add %k, %one : i32
  %more = llvm.icmp "ugt" %next, %one : i32
  llvm.cond_br %more, ^loop(%next, %k1 : i32, i32), ^done
^done:
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %k1, %p : i32, !llvm.ptr
  hetir.barrier
  llvm.br ^end
^end:
  llvm.return
}

// -----

// Where the loop leads to several blocks, the number of a thread's is kept, too. One that
// counts stays one, with a nearer bound.
// CHECK-LABEL: llvm.func @two_exits
// CHECK-SAME: hetir.parks_at_polls
// CHECK: %[[LIMIT:.*]] = llvm.intr.smin
// CHECK: llvm.icmp "slt" %{{.*}}, %[[LIMIT]]
// CHECK: llvm.mlir.constant(false)
// CHECK-NEXT: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NEXT: llvm.br ^[[VOTE:bb[0-9]+]](%{{.*}}, %[[FIRST]], %{{.*}} : i1, i32, f32)
// CHECK: llvm.br ^[[VOTE]](%{{.*}}, %{{.*}}, %{{.*}} : i1, i32, f32)
// CHECK: llvm.mlir.constant(false)
// CHECK-NEXT: %[[SECOND:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT: llvm.br ^[[VOTE]](%{{.*}}, %[[SECOND]], %{{.*}} : i1, i32, f32)
// CHECK: ^[[VOTE]](
// CHECK: %[[V:.*]]:3 = hetir.safe_point
// CHECK: hetir.barrier_reduce or
// CHECK: hetir.safe_point {{[0-9]+}} poll
// CHECK: llvm.switch %[[V]]#1 : i32, ^[[FOUND:bb[0-9]+]](%[[V]]#2 : f32) [
// CHECK-NEXT: 1: ^[[NONE:bb[0-9]+]](%[[V]]#2 : f32)
// CHECK: ^[[FOUND]](%[[A:.*]]: f32):
// CHECK-NEXT: llvm.store %[[A]]
// FORM-LABEL: llvm.func @two_exits(
// FORM: hetir.parking
// FORM-NOT: __het_schedule_next
// FORM: llvm.call @two_exits.park.
llvm.func @two_exits(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %limit = llvm.mlir.constant(1.0e+6 : f32) : f32
  %t = hetir.thread_id x
  %x0 = llvm.uitofp %t : i32 to f32
  llvm.br ^loop(%zero, %x0 : i32, f32)
^loop(%i: i32, %x: f32):
  %y = llvm.fmul %x, %x : f32
  %far = llvm.fcmp "ogt" %y, %limit : f32
  llvm.cond_br %far, ^found(%y : f32), ^latch
^latch:
  %i1 = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %i1, %n : i32
  llvm.cond_br %more, ^loop(%i1, %y : i32, f32), ^none(%y : f32)
^found(%f: f32):
  llvm.store %f, %a : f32, !llvm.ptr
  llvm.br ^end
^none(%g: f32):
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  llvm.store %g, %p : f32, !llvm.ptr
  llvm.br ^end
^end:
  hetir.barrier
  llvm.return
}

// -----

// Two ways to one block need no number. What is recomputed anywhere is not kept, and what
// is given by each way is. A way to where nobody goes on from does not lead through the vote.
// CHECK-LABEL: llvm.func @one_block
// CHECK: llvm.cond_br %{{.*}}, ^[[TRAP:bb[0-9]+]], ^
// CHECK: %[[V:.*]]:2 = hetir.safe_point {{[0-9]+}} barrier(%{{.*}}, %{{.*}} : i1, i32)
// CHECK: hetir.barrier_reduce
// CHECK: %[[T2:.*]] = llvm.shl
// CHECK: llvm.br ^[[JOIN:bb[0-9]+]](%[[V]]#1 : i32)
// CHECK: ^[[TRAP]]:
// CHECK-NEXT: hetir.trap
// CHECK: ^[[JOIN]](%[[J:.*]]: i32):
// CHECK: llvm.getelementptr %{{.*}}[%[[T2]]]
// CHECK: llvm.store %[[J]]
llvm.func @one_block(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %t2 = llvm.shl %t, %one : i32
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %bad = llvm.icmp "slt" %y, %minus : i32
  llvm.cond_br %bad, ^trap, ^good
^good:
  %found = llvm.icmp "eq" %y, %t : i32
  llvm.cond_br %found, ^join(%x : i32), ^latch
^latch:
  %over = llvm.icmp "sgt" %y, %n : i32
  llvm.cond_br %over, ^join(%minus : i32), ^loop(%y : i32)
^trap:
  hetir.trap
  llvm.unreachable
^join(%j: i32):
  %p = llvm.getelementptr %a[%t2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %j, %p : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// -----

// The address of an object stays one of its object, also where a thread has none.
// CHECK-LABEL: llvm.func @addresses
// CHECK-SAME: hetir.layout
// CHECK-SAME: hetir.parks_at_polls
// CHECK: llvm.mlir.addressof @row
// CHECK: hetir.barrier_reduce
llvm.mlir.global internal @row() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @addresses(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.addressof @row : !llvm.ptr<3>
  %t = hetir.thread_id x
  llvm.br ^loop(%b : !llvm.ptr<3>)
^loop(%q: !llvm.ptr<3>):
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  %next = llvm.getelementptr %q[%v] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %more = llvm.icmp "ne" %v, %t : i32
  llvm.cond_br %more, ^loop(%next : !llvm.ptr<3>), ^end
^end:
  %w = llvm.load %next : !llvm.ptr<3> -> i32
  llvm.store %w, %a : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// -----

// Where what is kept may be the address of one of several objects, threads poll alone.
// CHECK-LABEL: llvm.func @either
// CHECK-SAME: hetir.layout
// CHECK-NOT: barrier_reduce
// CHECK: llvm.return
llvm.mlir.global internal @row() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.mlir.global internal @column() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @either(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %b = llvm.mlir.addressof @row : !llvm.ptr<3>
  %c = llvm.mlir.addressof @column : !llvm.ptr<3>
  %t = hetir.thread_id x
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %q = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %q : !llvm.ptr -> i32
  %found = llvm.icmp "eq" %v, %t : i32
  llvm.cond_br %found, ^end(%b : !llvm.ptr<3>), ^latch
^latch:
  %over = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %over, ^end(%c : !llvm.ptr<3>), ^loop(%v : i32)
^end(%o: !llvm.ptr<3>):
  %w = llvm.load %o : !llvm.ptr<3> -> i32
  llvm.store %w, %a : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// -----

// An outer loop that is gone round together has its own poll. What the inner one has done is
// counted where all leave it, for all alike.
// CHECK-LABEL: llvm.func @around
// CHECK-SAME: hetir.parks_at_polls
// CHECK: ^[[CHECK:bb[0-9]+]](%{{.*}}: i32):
// CHECK: %[[SUM:.*]] = llvm.add %[[DONE:.*]], %{{.*}} : i32
// CHECK: llvm.icmp "slt" %[[SUM]]
// CHECK: hetir.safe_point {{[0-9]+}} poll
// CHECK: hetir.barrier_reduce or %{{.*}} {hetir.vote}
// CHECK: hetir.safe_point {{[0-9]+}} poll
// CHECK: %[[STRIP:.*]] = llvm.mul
// CHECK-NEXT: %[[PART:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-NEXT: %[[QUARTER:.*]] = llvm.udiv %[[STRIP]], %[[PART]]
// CHECK-NEXT: %[[DONE]] = llvm.add %{{.*}}, %[[QUARTER]]
// FORM-LABEL: llvm.func @around(
// FORM: hetir.parking
// FORM-NOT: __het_schedule_next
// FORM: llvm.call @around.park.
llvm.func @around(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^row(%zero : i32)
^row(%r: i32):
  %x0 = llvm.add %r, %t : i32
  llvm.br ^cell(%x0 : i32)
^cell(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^cell(%y : i32), ^done
^done:
  %r1 = llvm.add %r, %one : i32
  %rows = llvm.icmp "slt" %r1, %n : i32
  llvm.cond_br %rows, ^row(%r1 : i32), ^out
^out:
  llvm.return
}

// -----

// How often the second loop goes round is what the first one brings through its vote.
// CHECK-LABEL: llvm.func @one_after_another
// CHECK: hetir.barrier_reduce or %{{.*}} {hetir.vote}
// CHECK: llvm.intr.umin
// CHECK: hetir.barrier_reduce or %{{.*}} {hetir.vote}
llvm.func @one_after_another(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^first(%t, %zero : i32, i32)
^first(%x: i32, %k: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %k1 = llvm.add %k, %one : i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^first(%y, %k1 : i32, i32), ^between
^between:
  llvm.br ^second(%zero : i32)
^second(%i: i32):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %t, %p : i32, !llvm.ptr
  %hit = llvm.icmp "eq" %i, %t : i32
  llvm.cond_br %hit, ^end, ^latch
^latch:
  %i1 = llvm.add %i, %one : i32
  %again = llvm.icmp "ult" %i1, %k1 : i32
  llvm.cond_br %again, ^second(%i1 : i32), ^end
^end:
  hetir.barrier
  llvm.return
}

// -----

// A sum that nobody looks at tells nothing of others.
// CHECK-LABEL: llvm.func @adds
// CHECK: hetir.barrier_reduce
llvm.func @adds(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %old = llvm.atomicrmw add %q, %one monotonic : !llvm.ptr, i32
  %y = llvm.lshr %x, %one : i32
  %more = llvm.icmp "ne" %y, %one : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  hetir.barrier
  llvm.return
}

// -----

// Here it is looked at: the thread may wait for another one by it.
// CHECK-LABEL: llvm.func @looks
// CHECK: poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @looks(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  %old = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
  %p = llvm.getelementptr %a[%old] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %old, %p : i32, !llvm.ptr
  %more = llvm.icmp "slt" %old, %n : i32
  llvm.cond_br %more, ^loop, ^end
^end:
  llvm.return
}

// -----

// A lock is released behind the loop: one thread is in it while others wait before it.
// CHECK-LABEL: llvm.func @locked
// CHECK: safe_point {{[0-9]+}} yield
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @locked(%a: !llvm.ptr, %lock: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^wait
^wait:
  %pair = llvm.cmpxchg %lock, %zero, %one acquire monotonic : !llvm.ptr, i32
  %ok = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  llvm.cond_br %ok, ^loop(%t : i32), ^wait
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  %old = llvm.atomicrmw xchg %lock, %zero release : !llvm.ptr, i32
  llvm.return
}

// -----

// Nor can threads poll together there that all go round as often.
// CHECK-LABEL: llvm.func @locked_for_all
// CHECK: safe_point {{[0-9]+}} yield
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @locked_for_all(%a: !llvm.ptr, %lock: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^wait
^wait:
  %old = llvm.atomicrmw xchg %lock, %one acquire : !llvm.ptr, i32
  %free = llvm.icmp "eq" %old, %zero : i32
  llvm.cond_br %free, ^loop(%zero : i32), ^wait
^loop(%x: i32):
  llvm.store %x, %a : i32, !llvm.ptr
  %y = llvm.add %x, %one : i32
  %more = llvm.icmp "slt" %y, %n : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  llvm.store %zero, %lock atomic release {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.return
}

// -----

// Between these all threads meet: whoever waited before has come.
// CHECK-LABEL: llvm.func @met
// CHECK: hetir.barrier_reduce or %{{.*}} {hetir.vote}
llvm.func @met(%a: !llvm.ptr, %flag: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^wait
^wait:
  %f = llvm.load volatile %flag : !llvm.ptr -> i32
  %set = llvm.icmp "ne" %f, %zero : i32
  llvm.cond_br %set, ^together, ^wait
^together:
  hetir.barrier
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  hetir.barrier
  llvm.return
}

// -----

// Lanes that come by this way meet partners there that may come behind the loop.
// CHECK-LABEL: llvm.func @partners
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @partners(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %t = hetir.thread_id x
  %bit = llvm.and %t, %one : i32
  %odd = llvm.icmp "ne" %bit, %zero : i32
  llvm.cond_br %odd, ^first, ^begin
^first:
  hetir.team_sync %all
  llvm.br ^begin
^begin:
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^behind
^behind:
  llvm.cond_br %odd, ^end, ^second
^second:
  hetir.team_sync %all
  llvm.br ^end
^end:
  llvm.return
}

// -----

// What a function does that is not inlined is not known.
// CHECK-LABEL: llvm.func @calls
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @other(i32) -> i32
llvm.func @calls() attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %y = llvm.call @other(%x) : (i32) -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  llvm.return
}

// -----

// Threads that pass the loop by vote, too: they have left it for where they go.
// CHECK-LABEL: llvm.func @passed_by
// CHECK-SAME: hetir.parks_at_polls
// CHECK: %[[T2:.*]] = llvm.shl
// CHECK: llvm.cond_br %{{.*}}, ^[[BEFORE:bb[0-9]+]], ^[[BY:bb[0-9]+]]
// CHECK: ^[[BEFORE]]:
// CHECK-NEXT: llvm.br ^[[ENTER:bb[0-9]+]]
// CHECK: ^[[ENTER]](
// CHECK: llvm.br ^[[GATHER:bb[0-9]+]](%{{.*}}, %{{.*}} : i1, i32)
// CHECK: ^[[GATHER]](%[[G:.*]]: i1, %[[X:.*]]: i32):
// CHECK: llvm.br ^[[AGAIN:bb[0-9]+]](%[[G]], %[[X]]
// CHECK: ^[[AGAIN]](
// CHECK-NEXT: llvm.cond_br
// CHECK: ^[[BY]]:
// CHECK-NEXT: %[[NO:.*]] = llvm.mlir.constant(false)
// CHECK-NEXT: llvm.br ^[[GATHER]](%[[NO]], %{{.*}} : i1, i32)
// CHECK: hetir.barrier_reduce or %{{.*}} {hetir.vote}
// FORM-LABEL: llvm.func @passed_by(
// FORM: hetir.parking
// FORM-NOT: __het_schedule_next
// FORM: llvm.call @passed_by.park.
llvm.func @passed_by(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^begin, ^join(%t : i32)
^begin:
  %t2 = llvm.shl %t, %one : i32
  llvm.br ^loop(%t2 : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %t2 : i32
  llvm.cond_br %more, ^loop(%y : i32), ^join(%x : i32)
^join(%j: i32):
  hetir.barrier
  llvm.store %j, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// So in a loop around it, whose count stays the same for all.
// CHECK-LABEL: llvm.func @passed_by_in_rounds
// CHECK-SAME: hetir.parks_at_polls
// FORM-LABEL: llvm.func @passed_by_in_rounds(
// FORM: hetir.parking
// FORM-NOT: __het_schedule_next
// FORM: llvm.call @passed_by_in_rounds.park.
llvm.func @passed_by_in_rounds(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^row(%zero, %zero : i32, i32)
^row(%r: i32, %s: i32):
  %x0 = llvm.mul %r, %t : i32
  %in = llvm.icmp "ne" %x0, %one : i32
  llvm.cond_br %in, ^cell(%x0 : i32), ^done(%s : i32)
^cell(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^cell(%y : i32), ^done(%x : i32)
^done(%d: i32):
  %r1 = llvm.add %r, %one : i32
  %rows = llvm.icmp "slt" %r1, %n : i32
  llvm.cond_br %rows, ^row(%r1, %d : i32, i32), ^out
^out:
  llvm.store %d, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// Only some threads come to this one, with a value that the others do not have.
// CHECK-LABEL: llvm.func @apart
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier_reduce
// CHECK: llvm.return
llvm.func @apart(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^begin, ^join
^begin:
  %b = llvm.load %a : !llvm.ptr -> i32
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %b : i32
  llvm.cond_br %more, ^loop(%y : i32), ^join
^join:
  hetir.barrier
  llvm.store %t, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// Threads that have left for the kernel's end come by there, too.
// CHECK-LABEL: llvm.func @ending
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier_reduce
// CHECK: llvm.return
llvm.func @ending(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^meet, ^begin
^meet:
  hetir.barrier
  llvm.br ^begin
^begin:
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  llvm.return
}

// -----

// Threads meet in it.
// CHECK-LABEL: llvm.func @meets
// CHECK-NOT: barrier_reduce
// CHECK: llvm.return
llvm.func @meets(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%x: i32):
  hetir.barrier
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  llvm.return
}

// -----

// A loop inside of it is polled, too.
// CHECK-LABEL: llvm.func @inner
// CHECK-COUNT-2: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @inner(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^row(%t : i32)
^row(%r: i32):
  llvm.br ^cell(%r : i32)
^cell(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^cell(%y : i32), ^done
^done:
  %rows = llvm.icmp "ne" %x, %t : i32
  llvm.cond_br %rows, ^row(%x : i32), ^out
^out:
  llvm.return
}

// -----

// One inside of it that ends soon is not.
// CHECK-LABEL: llvm.func @short_inner
// CHECK: hetir.barrier_reduce or %{{.*}} {hetir.vote}
llvm.func @short_inner(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %most = llvm.mlir.constant(20 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^row(%t : i32)
^row(%r: i32):
  llvm.br ^cell(%zero, %r : i32, i32)
^cell(%c: i32, %x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %next = llvm.add %c, %one : i32
  %again = llvm.icmp "slt" %next, %most : i32
  llvm.cond_br %again, ^cell(%next, %y : i32, i32), ^done
^done:
  %rows = llvm.icmp "ne" %y, %t : i32
  llvm.cond_br %rows, ^row(%y : i32), ^out
^out:
  hetir.barrier
  llvm.return
}

// -----

// Threads that leave this one end soon: those that have not ended come to the poll together
// without a vote.
// CHECK-LABEL: llvm.func @to_end
// CHECK-SAME: hetir.parks_at_polls
// CHECK-NOT: barrier_reduce
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NEXT: hetir.barrier
// CHECK-NOT: barrier_reduce
// CHECK: llvm.return
// FORM-LABEL: llvm.func @to_end(
// FORM: hetir.parking
// FORM-NOT: __het_schedule_next
// FORM: llvm.call @to_end.park.
llvm.func @to_end(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^loop(%t : i32), ^end
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^done
^done:
  llvm.store %x, %a : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// -----

// Some pass it by, for a loop of their own: so they are not together anywhere.
// CHECK-LABEL: llvm.func @either_loop
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @either_loop(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^loop(%t : i32), ^other(%t : i32)
^loop(%x: i32):
  %q = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^other(%u: i32):
  %p = llvm.getelementptr %a[%u] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %p : !llvm.ptr -> i32
  %again = llvm.icmp "ne" %v, %n : i32
  llvm.cond_br %again, ^other(%v : i32), ^end
^end:
  llvm.return
}

// -----

// A range of its own for each thread (grid strides, rows of sparse matrices): polled alone.
// CHECK-LABEL: llvm.func @ranges
// CHECK: safe_point {{[0-9]+}} poll
// CHECK-NOT: barrier
// CHECK: llvm.return
llvm.func @ranges(%a: !llvm.ptr, %n: i32, %stride: i32) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%i: i32):
  %q = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %t, %q : i32, !llvm.ptr
  %i1 = llvm.add %i, %stride : i32
  %more = llvm.icmp "slt" %i1, %n : i32
  llvm.cond_br %more, ^loop(%i1 : i32), ^end
^end:
  llvm.return
}
