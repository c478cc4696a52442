// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --split-input-file | FileCheck %s
// RUN: het-opt %s "--hetir-insert-safe-points=parkable=true poll-interval=4294967295" --split-input-file \
// RUN:   | FileCheck --check-prefix=ENTRY --implicit-check-not="poll(" %s

// Without polls no block that has begun is parked.
// ENTRY: llvm.func @together
// ENTRY-NOT: hetir.layout
// ENTRY: llvm.func @alone

// A loop that counts is cut into strips, whose bound is as many rounds ahead as make as much
// work as the launch says, or the loop's own. Where all threads of a block go round together, the
// poll between strips is a barrier.
// CHECK-LABEL: llvm.func @together
// CHECK-SAME: hetir.layout
// CHECK-SAME: hetir.parks_at_polls
// CHECK: ^[[STRIP:bb[0-9]+]](%[[A:.*]]: i32):
// CHECK: %[[FIRST:.*]] = llvm.add
// CHECK: %[[INTERVAL:.*]] = hetir.poll_interval
// CHECK: %[[COST:.*]] = llvm.mlir.constant(19 : i32)
// CHECK: %[[QUOTIENT:.*]] = llvm.udiv %[[INTERVAL]], %[[COST]]
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(-32 : i32)
// CHECK: %[[WHOLE:.*]] = llvm.and %[[QUOTIENT]], %[[MASK]]
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(32 : i32)
// CHECK: %[[ROUNDS:.*]] = llvm.intr.umax(%[[WHOLE]], %[[LEAST]])
// CHECK: %[[AHEAD:.*]] = llvm.mul %[[ROUNDS]]
// CHECK: %[[NEAR:.*]] = llvm.add %[[FIRST]], %[[AHEAD]]
// CHECK: %[[LIMIT:.*]] = llvm.intr.smin(%arg1, %[[NEAR]])
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](
// CHECK: %[[L:.*]]:2 = hetir.safe_point {{[0-9]+}} loop(%{{.*}}, %{{.*}} : i32, i32)
// CHECK: %[[NEXT:.*]] = llvm.add
// CHECK: %[[IN:.*]] = llvm.icmp "slt" %[[NEXT]], %[[L]]#0
// CHECK: llvm.cond_br %[[IN]], ^[[LOOP]](%[[NEXT]], %[[L]]#0 : i32, i32), ^[[ASK:bb[0-9]+]]
// CHECK: ^[[ASK]]:
// CHECK: %[[N:.*]] = hetir.safe_point {{[0-9]+}} loop(%[[NEXT]]
// CHECK: %[[GOES:.*]] = llvm.icmp "slt" %[[N]], %arg1
// CHECK: llvm.cond_br %[[GOES]], ^[[POLL:bb[0-9]+]], ^{{.*}}
// CHECK: ^[[POLL]]:
// CHECK: %[[R:.*]] = hetir.safe_point {{[0-9]+}} poll(%[[N]] : i32)
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: llvm.br ^[[STRIP]](%[[R]] : i32)
llvm.func @together(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
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

// Where a round takes long and threads meet in it, the poll is in the loop, which stays one
// and sums up its work.
// CHECK-LABEL: llvm.func @meeting
// CHECK-SAME: hetir.parks_at_polls
// CHECK: llvm.br ^[[ENTER:bb[0-9]+]](
// CHECK: %[[SUM:.*]] = llvm.add %[[DONE:.*]], %{{.*}} : i32
// CHECK: %[[LENGTH:.*]] = hetir.poll_interval
// CHECK: %[[WITHIN:.*]] = llvm.icmp "slt" %[[SUM]], %[[LENGTH]]
// CHECK: llvm.cond_br %[[WITHIN]] weights([8192, 1]), ^[[BACK:bb[0-9]+]](%{{.*}}, %[[SUM]] : i32, i32), ^[[POLL:bb[0-9]+]]
// CHECK: ^[[POLL]]:
// CHECK: %[[R:.*]] = hetir.safe_point {{[0-9]+}} poll(%{{.*}} : i32)
// CHECK-NEXT: hetir.barrier
// CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.br ^[[BACK]](%{{.*}}, %[[NONE]] : i32, i32)
// CHECK: ^[[BACK]](%[[I:.*]]: i32, %[[S:.*]]: i32):
// CHECK: llvm.br ^[[HEADER:bb[0-9]+]](%[[I]], %[[S]] : i32, i32)
// CHECK: ^[[HEADER]](%{{.*}}: i32, %{{.*}}: i32):
// CHECK-COUNT-16: hetir.barrier {hetir.aligned}
llvm.func @meeting(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// A loop that ends by itself within the interval has no poll, also where threads poll alone.
// CHECK-LABEL: llvm.func @short
// CHECK-COUNT-1: poll(
// CHECK-NOT: poll(
// CHECK: llvm.return
llvm.func @short(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %hundred = llvm.mlir.constant(100 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^row(%t : i32)
^row(%r: i32):
  llvm.br ^cell(%zero : i32)
^cell(%c: i32):
  %p = llvm.getelementptr %a[%c] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %p : !llvm.ptr -> i32
  %w = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
  %next = llvm.add %c, %one : i32
  %again = llvm.icmp "slt" %next, %hundred : i32
  llvm.cond_br %again, ^cell(%next : i32), ^done
^done:
  %found = llvm.icmp "eq" %v, %w : i32
  llvm.cond_br %found, ^row(%v : i32), ^out
^out:
  llvm.return
}

// -----

// Threads that leave a loop at different times, and may not vote, poll alone: others may wait
// in the function for what they do behind it. This one counts down.
// CHECK-LABEL: llvm.func @alone
// CHECK: %[[LIMIT:.*]] = llvm.intr.smax
// CHECK: llvm.icmp "sgt" %{{.*}}, %[[LIMIT]]
// CHECK: hetir.safe_point 1 poll
// CHECK-NOT: hetir.barrier
// CHECK: llvm.return
llvm.func @other()
llvm.func @alone(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.call @other() : () -> ()
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.sub %i, %one : i32
  %more = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// A loop of few rounds, and of which it is known, is not polled.
// CHECK-LABEL: llvm.func @few
// CHECK-NOT: safe_point {{.*}} poll
// CHECK: llvm.return
llvm.func @few(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %many = llvm.mlir.constant(400 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %done = llvm.icmp "eq" %next, %many : i32
  llvm.cond_br %done, ^end, ^loop(%next : i32)
^end:
  llvm.return
}

// -----

// Likewise where they are few at most.
// CHECK-LABEL: llvm.func @few_at_most
// CHECK-NOT: safe_point {{.*}} poll
// CHECK: llvm.return
llvm.func @few_at_most(%n: i32, %a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %few = llvm.mlir.constant(8 : i32) : i32
  %some = llvm.intr.smax(%n, %one) : (i32, i32) -> i32
  %end = llvm.intr.smin(%some, %few) : (i32, i32) -> i32
  llvm.br ^up(%zero : i32)
^up(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %done = llvm.icmp "eq" %next, %end : i32
  llvm.cond_br %done, ^between, ^up(%next : i32)
^between:
  %least = llvm.intr.smin(%n, %few) : (i32, i32) -> i32
  %start = llvm.intr.smax(%least, %one) : (i32, i32) -> i32
  llvm.br ^down(%start : i32)
^down(%k: i32):
  llvm.store %k, %a : i32, !llvm.ptr
  %before = llvm.add %k, %minus : i32
  %more = llvm.icmp "ugt" %k, %one : i32
  llvm.cond_br %more, ^down(%before : i32), ^end
^end:
  llvm.return
}

// -----

// And not where an unsigned test meets a bound that may be negative.
// CHECK-LABEL: llvm.func @few_if_signed
// CHECK: safe_point {{.*}} poll
// CHECK: llvm.return
llvm.func @few_if_signed(%n: i32, %a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(8 : i32) : i32
  %end = llvm.intr.smin(%n, %few) : (i32, i32) -> i32
  llvm.br ^up(%zero : i32)
^up(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "ult" %next, %end : i32
  llvm.cond_br %more, ^up(%next : i32), ^end
^end:
  llvm.return
}

// -----

// And not where the bound is one below, or they may be many.
// CHECK-LABEL: llvm.func @many_at_most
// CHECK-COUNT-2: safe_point {{.*}} poll
// CHECK: llvm.return
llvm.func @many_at_most(%n: i32, %a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(8 : i32) : i32
  %many = llvm.mlir.constant(100000 : i32) : i32
  %end = llvm.intr.smax(%n, %few) : (i32, i32) -> i32
  llvm.br ^up(%zero : i32)
^up(%i: i32):
  llvm.store %i, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %done = llvm.icmp "eq" %next, %end : i32
  llvm.cond_br %done, ^between, ^up(%next : i32)
^between:
  %limit = llvm.intr.smin(%n, %many) : (i32, i32) -> i32
  llvm.br ^again(%zero : i32)
^again(%k: i32):
  llvm.store %k, %a : i32, !llvm.ptr
  %after = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %after, %limit : i32
  llvm.cond_br %more, ^again(%after : i32), ^end
^end:
  llvm.return
}

// -----

// Who knows how often this goes round: it sums up its work, and a strip ends when that is
// enough.
// CHECK-LABEL: llvm.func @search
// CHECK: ^[[STRIP:bb[0-9]+]](%[[P:.*]]: i32, %[[W:.*]]: i32):
// CHECK: %[[INTERVAL:.*]] = hetir.poll_interval
// CHECK: %[[PART:.*]] = llvm.mlir.constant(532 : i32)
// CHECK: %[[QUOTIENT:.*]] = llvm.udiv %[[INTERVAL]], %[[PART]]
// CHECK: %[[ROUNDS:.*]] = llvm.intr.umax(%[[QUOTIENT]], %{{.*}})
// CHECK: %[[LENGTH:.*]] = llvm.mul %[[ROUNDS]]
// CHECK: %[[LIMIT:.*]] = llvm.add %[[W]], %[[LENGTH]]
// CHECK: %[[FOUND:.*]] = llvm.icmp "eq"
// CHECK: %[[COST:.*]] = llvm.mlir.constant(133 : i32)
// CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %[[COST]]
// CHECK: %[[END:.*]] = llvm.icmp "eq" %[[SUM]], %[[LIMIT]]
// CHECK: %[[LEAVES:.*]] = llvm.or %[[FOUND]], %[[END]]
// CHECK: llvm.cond_br %[[LEAVES]], ^[[ASK:bb[0-9]+]], ^
// CHECK: ^[[ASK]]:
// CHECK: llvm.cond_br %[[FOUND]], ^{{.*}}, ^[[POLL:bb[0-9]+]]
// CHECK: ^[[POLL]]:
// CHECK: hetir.safe_point {{[0-9]+}} poll
// CHECK: llvm.br ^[[STRIP]]
llvm.func @other()
llvm.func @search(%a: !llvm.ptr) attributes {hetir.kernel} {
  llvm.call @other() : () -> ()
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%i: i32):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %next = llvm.load %p : !llvm.ptr -> i32
  %x = llvm.xor %next, %t : i32
  %y = llvm.add %x, %t : i32
  %found = llvm.icmp "eq" %y, %zero : i32
  llvm.cond_br %found, ^end, ^loop(%y : i32)
^end:
  llvm.return
}

// -----

// What a loop inside of another one has done since its last poll counts for that one:
// charged when a strip begins, and given back where it is left before its end. The outer
// loop's poll is in it.
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[SUM:.*]] = llvm.add %[[DONE:.*]], %{{.*}} {hetir.strip = array<i32: 0, 0>}
// CHECK: llvm.icmp "slt" %[[SUM]]
// CHECK: hetir.safe_point 1 poll(%{{.*}} : i32)
// CHECK-DAG: %[[FAR:.*]] = llvm.icmp "ugt"
// CHECK-DAG: %[[LIMIT:.*]] = llvm.select %[[FAR]]
// CHECK-DAG: %[[ROUNDS:.*]] = llvm.intr.smax
// CHECK: hetir.safe_point 2 poll
// CHECK: ^{{.*}}(%[[DONE]]: i32):
// CHECK-NOT: poll
// CHECK: llvm.return
llvm.func @rows(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^row(%t : i32)
^row(%r: i32):
  %p = llvm.getelementptr %a[%r] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %end = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^cell(%zero : i32)
^cell(%c: i32):
  %q = llvm.getelementptr %p[%c] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %q : !llvm.ptr -> i32
  %stop = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %stop, ^done, ^next
^next:
  %c1 = llvm.add %c, %one : i32
  %last = llvm.icmp "eq" %c1, %end : i32
  llvm.cond_br %last, ^done, ^cell(%c1 : i32)
^done:
  %r1 = llvm.add %r, %one : i32
  %more = llvm.icmp "slt" %r1, %n : i32
  llvm.cond_br %more, ^row(%r1 : i32), ^out
^out:
  llvm.return
}

// -----

// The address of a shared object is kept as its distance from the object.
// CHECK-LABEL: llvm.func @distance
// CHECK: %[[P:.*]] = llvm.getelementptr
// CHECK: %[[S:.*]] = llvm.mlir.addressof @buffer
// CHECK: %[[TO:.*]] = llvm.ptrtoint %[[P]]
// CHECK: %[[FROM:.*]] = llvm.ptrtoint %[[S]]
// CHECK: %[[D:.*]] = llvm.sub %[[TO]], %[[FROM]]
// CHECK: %[[R:.*]]:2 = hetir.safe_point 1 barrier(%{{.*}}, %[[D]] : i32, i64)
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: llvm.getelementptr %[[S]][%[[R]]#1]
llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @distance(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %i = llvm.load %a : !llvm.ptr -> i32
  %p = llvm.getelementptr %b[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  hetir.barrier
  llvm.store %i, %p : i32, !llvm.ptr<3>
  llvm.br ^loop(%one : i32)
^loop(%k: i32):
  %next = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @kept
// CHECK-SAME: hetir.unparkable = "an object's address is stored in memory"
// CHECK-NOT: poll
// CHECK: llvm.return
llvm.func @kept(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %l, %a : !llvm.ptr, !llvm.ptr
  llvm.br ^loop(%one : i32)
^loop(%i: i32):
  llvm.store %i, %l : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @either
// CHECK-SAME: hetir.unparkable = "an address may be that of several objects"
llvm.func @either(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %m = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> i1
  %p = llvm.select %x, %l, %m : i1, !llvm.ptr
  hetir.barrier
  llvm.store %one, %p : i32, !llvm.ptr
  llvm.br ^loop(%one : i32)
^loop(%k: i32):
  %next = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @counted
// CHECK-SAME: hetir.unparkable = "a barrier has a number or a count"
llvm.func @counted() attributes {hetir.kernel} {
  hetir.barrier id 1
  llvm.return
}

// -----

// What is written of an argument that lies in memory is a local object, and so part of
// the state.
// CHECK-LABEL: llvm.func @argument
// CHECK: %[[L:.*]] = llvm.alloca
// CHECK: hetir.safe_point 0 entry
// CHECK: "llvm.intr.memcpy"(%[[L]], %arg0
// CHECK: llvm.store %{{.*}}, %[[L]]
llvm.func @argument(%s: !llvm.ptr {llvm.byval = !llvm.array<4 x i32>}, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %s : i32, !llvm.ptr
  llvm.br ^loop(%one : i32)
^loop(%k: i32):
  %next = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// Blocks that end soon are not parked inside: the points are those of a kernel that is not
// parkable.
// CHECK-LABEL: llvm.func @short
// CHECK-NOT: hetir.layout
// CHECK: hetir.safe_point 0 entry
// CHECK-NOT: hetir.safe_point
// CHECK: hetir.safe_point 1 barrier
// CHECK-NOT: hetir.safe_point
// CHECK: llvm.return
llvm.func @short(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %most = llvm.mlir.constant(40 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %i, %p : i32, !llvm.ptr
  hetir.barrier
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %most : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// A poll's block where the strip's loop ends, too, has the poll's point only: the address
// is put together again behind the barrier.
// CHECK-LABEL: llvm.func @ends_with_strip
// CHECK: ^[[POLL:.*]]: // pred
// CHECK: %[[R:.*]]:{{[0-9]}} = hetir.safe_point {{[0-9]+}} poll
// CHECK-NEXT: hetir.barrier
// CHECK-NEXT: llvm.getelementptr %{{.*}}[%[[R]]#
// CHECK-NEXT: llvm.br
llvm.mlir.global internal @row() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @ends_with_strip(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.addressof @row : !llvm.ptr<3>
  %from = llvm.load %a : !llvm.ptr -> i32
  %p = llvm.getelementptr %b[%from] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  llvm.store %i, %p : i32, !llvm.ptr<3>
  hetir.barrier
  %last = llvm.icmp "eq" %i, %n : i32
  llvm.cond_br %last, ^end, ^latch
^latch:
  %next = llvm.add %i, %one : i32
  hetir.barrier
  llvm.br ^loop(%next : i32)
^end:
  llvm.return
}

// -----

// Compiled with --het-safe-points=none, and with barriers.
// CHECK-LABEL: llvm.func @nowhere
// CHECK-SAME: hetir.unparkable = "compiled without safe points"
// CHECK-NOT: poll
// CHECK: llvm.return
llvm.func @nowhere(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel, hetir.safe_points = "none"} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  hetir.barrier
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @at_barriers
// CHECK-SAME: hetir.layout
// CHECK-NOT: hetir.parks_at_polls
// CHECK-NOT: poll
// CHECK: hetir.safe_point {{[0-9]+}} barrier
// CHECK-NOT: poll
// CHECK: llvm.return
llvm.func @at_barriers(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel, hetir.safe_points = "barriers"} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  hetir.barrier
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}
