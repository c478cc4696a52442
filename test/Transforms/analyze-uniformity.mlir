// RUN: het-opt %s --hetir-analyze-uniformity | FileCheck %s

llvm.mlir.global external @constants() {addr_space = 4 : i32} : !llvm.array<4 x i32>

// Sources and data dependence.
// CHECK-LABEL: llvm.func @sources
llvm.func @sources(%n: i32, %p: !llvm.ptr, %r: !llvm.ptr {llvm.readonly, llvm.noalias},
                   %s: !llvm.ptr {llvm.byval = !llvm.array<2 x i32>})
    attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %some = llvm.mlir.constant(255 : i32) : i32
  // CHECK: hetir.thread_id x {{.*}}<level divergent>
  %tid = hetir.thread_id x
  // CHECK: hetir.block_id x {{.*}}<level block>
  %bid = hetir.block_id x
  // CHECK: hetir.block_dim x {{.*}}<level grid>
  %dim = hetir.block_dim x
  // CHECK: hetir.team_id {{.*}}<level team>
  %team = hetir.team_id
  // CHECK: llvm.mul {{.*}}<level block>
  %0 = llvm.mul %bid, %dim : i32
  // CHECK: llvm.add {{.*}}<level divergent>
  %1 = llvm.add %0, %tid : i32
  // CHECK: llvm.add {{.*}}<level team>
  %2 = llvm.add %0, %team : i32
  // CHECK: llvm.sub {{.*}}<level grid>
  %3 = llvm.sub %n, %dim : i32
  // CHECK: llvm.icmp "slt" {{.*}}<level divergent>
  %4 = llvm.icmp "slt" %1, %n : i32
  // CHECK: hetir.ballot {{.*}}<level team>
  %5 = hetir.ballot %all, %4
  // CHECK: hetir.ballot {{.*}}<level divergent>
  %6 = hetir.ballot %some, %4
  // CHECK: hetir.active_mask {{.*}}<level divergent>
  %7 = hetir.active_mask
  // CHECK: hetir.barrier_reduce or {{.*}}<level block>
  %8 = hetir.barrier_reduce or %4
  // Memory that another thread may write says nothing.
  // CHECK: llvm.load {{.*}}<level divergent>
  %9 = llvm.load %p : !llvm.ptr -> i32
  // CHECK: llvm.load {{.*}}<level grid>
  %10 = llvm.load %r : !llvm.ptr -> i32
  // CHECK: llvm.load volatile {{.*}}<level divergent>
  %11 = llvm.load volatile %r : !llvm.ptr -> i32
  // CHECK: llvm.load %{{.*}} invariant {{.*}}<level grid>
  %12 = llvm.load %p invariant : !llvm.ptr -> i32
  // CHECK: llvm.load {{.*}}<level grid>{{.*}} : !llvm.ptr -> i32
  %13 = llvm.load %s : !llvm.ptr -> i32
  %a = llvm.mlir.addressof @constants : !llvm.ptr<4>
  // CHECK: llvm.getelementptr {{.*}}<level block>
  %14 = llvm.getelementptr %a[%bid] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
  // CHECK: llvm.load {{.*}}<level block>
  %15 = llvm.load %14 : !llvm.ptr<4> -> i32
  // CHECK: llvm.atomicrmw {{.*}}<level divergent>
  %16 = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i32
  // CHECK: hetir.math "sin"{{.*}}<level grid>
  %f = llvm.mlir.constant(1.0 : f32) : f32
  %17 = hetir.math "sin"(%f) exact : (f32) -> f32
  llvm.return
}

// What a divergent branch decides is divergent at the join, not before.
// CHECK-LABEL: llvm.func @join
llvm.func @join(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tid = hetir.thread_id x
  %odd = llvm.icmp "eq" %tid, %zero : i32
  // CHECK: llvm.cond_br {{.*}}<level divergent>
  llvm.cond_br %odd, ^left, ^right
^left:
  // CHECK: llvm.add {{.*}}<level grid>
  %0 = llvm.add %n, %n : i32
  llvm.br ^join(%0 : i32)
^right:
  llvm.br ^join(%zero : i32)
^join(%v: i32):
  // CHECK: llvm.mul {{.*}}<level divergent>
  %1 = llvm.mul %v, %n : i32
  llvm.store %1, %p : i32, !llvm.ptr
  llvm.return
}

// Two edges of one branch may lead to one block.
// CHECK-LABEL: llvm.func @both_edges
llvm.func @both_edges(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tid = hetir.thread_id x
  %odd = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %odd, ^join(%zero : i32), ^join(%n : i32)
^join(%v: i32):
  // CHECK: llvm.mul {{.*}}<level divergent>
  %1 = llvm.mul %v, %n : i32
  llvm.store %1, %p : i32, !llvm.ptr
  llvm.return
}

// A block-uniform branch makes its join uniform over blocks.
// CHECK-LABEL: llvm.func @block_join
llvm.func @block_join(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %bid = hetir.block_id x
  %first = llvm.icmp "eq" %bid, %zero : i32
  // CHECK: llvm.cond_br {{.*}}<level block>
  llvm.cond_br %first, ^left, ^join(%n : i32)
^left:
  llvm.br ^join(%zero : i32)
^join(%v: i32):
  // CHECK: llvm.mul {{.*}}<level block>
  %1 = llvm.mul %v, %n : i32
  llvm.store %1, %p : i32, !llvm.ptr
  llvm.return
}

// Threads leave the inner loop at different times; inside, its counter is the same
// for those still there, but outside, also in the outer loop, it is not.
// CHECK-LABEL: llvm.func @temporal
llvm.func @temporal(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tid = hetir.thread_id x
  llvm.br ^outer(%zero : i32)
^outer(%i: i32):
  llvm.br ^inner(%zero : i32)
^inner(%j: i32):
  // CHECK: llvm.shl {{.*}}<level grid>
  %inside = llvm.shl %j, %one : i32
  llvm.store %inside, %p : i32, !llvm.ptr
  // CHECK: llvm.or {{.*}}<level divergent>
  %leaving = llvm.or %n, %one : i32
  %j1 = llvm.add %j, %one : i32
  %more = llvm.icmp "slt" %j1, %tid : i32
  // CHECK: llvm.cond_br {{.*}}<level divergent>
  llvm.cond_br %more, ^inner(%j1 : i32), ^after
^after:
  // CHECK: llvm.mul {{.*}}<level divergent>
  %use = llvm.mul %leaving, %n : i32
  llvm.store %use, %p : i32, !llvm.ptr
  %i1 = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %i1, %n : i32
  // CHECK: llvm.cond_br {{.*}}<level grid>
  llvm.cond_br %again, ^outer(%i1 : i32), ^end
^end:
  llvm.return
}

// An early return leaves the others uniform.
// CHECK-LABEL: llvm.func @early_return
llvm.func @early_return(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tid = hetir.thread_id x
  %out = llvm.icmp "sge" %tid, %n : i32
  llvm.cond_br %out, ^end, ^loop(%zero : i32)
^loop(%i: i32):
  hetir.barrier
  %i1 = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %i1, %n : i32
  // CHECK: hetir.barrier
  // CHECK: llvm.cond_br {{.*}}<level grid>
  llvm.cond_br %again, ^loop(%i1 : i32), ^end
^end:
  llvm.return
}

// What meets where early and late threads end is not the same for them.
// CHECK-LABEL: llvm.func @shared_end
llvm.func @shared_end(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tid = hetir.thread_id x
  %out = llvm.icmp "sge" %tid, %n : i32
  llvm.cond_br %out, ^end(%zero : i32), ^work
^work:
  hetir.barrier
  llvm.br ^end(%n : i32)
^end(%v: i32):
  // CHECK: llvm.mul {{.*}}<level divergent>
  %1 = llvm.mul %v, %n : i32
  llvm.store %1, %p : i32, !llvm.ptr
  llvm.return
}

// A loop left by ending edges only; a divergent branch before it, of two entries
// (irreducible), spoils the control of all of it.
// CHECK-LABEL: llvm.func @endless
llvm.func @endless(%n: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tid = hetir.thread_id x
  %odd = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %odd, ^first(%zero : i32), ^second(%one : i32)
^first(%a: i32):
  // CHECK: llvm.shl {{.*}}<level divergent>
  %0 = llvm.shl %a, %one : i32
  llvm.br ^second(%0 : i32)
^second(%b: i32):
  // CHECK: llvm.lshr {{.*}}<level divergent>
  %1 = llvm.lshr %b, %one : i32
  hetir.barrier
  llvm.br ^first(%1 : i32)
}

llvm.mlir.global internal @first() {addr_space = 3 : i32} : i32
llvm.mlir.global internal @second() {addr_space = 3 : i32} : i32

// What nobody writes from the barrier before a load to the one behind is the same for all:
// here the first word, which thread 0 writes behind the second barrier. A loop that this
// decides on is gone round together.
// CHECK-LABEL: llvm.func @settled
llvm.func @settled(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tid = hetir.thread_id x
  %a = llvm.mlir.addressof @first : !llvm.ptr<3>
  %b = llvm.mlir.addressof @second : !llvm.ptr<3>
  %is0 = llvm.icmp "eq" %tid, %zero : i32
  llvm.br ^loop
^loop:
  hetir.barrier
  // CHECK: llvm.load {{.*}}<level block>
  %0 = llvm.load %a : !llvm.ptr<3> -> i32
  // Neither another object nor memory that an argument leads to is this one.
  llvm.store %tid, %b : i32, !llvm.ptr<3>
  llvm.store %0, %p : i32, !llvm.ptr
  // CHECK: llvm.load volatile {{.*}}<level divergent>
  %1 = llvm.load volatile %a : !llvm.ptr<3> -> i32
  // CHECK: llvm.load %{{.*}} atomic {{.*}}<level divergent>
  %2 = llvm.load %a atomic monotonic {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  // CHECK: llvm.getelementptr {{.*}}<level divergent>
  %3 = llvm.getelementptr %a[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: llvm.load {{.*}}<level divergent>
  %4 = llvm.load %3 : !llvm.ptr<3> -> i8
  hetir.barrier
  llvm.cond_br %is0, ^write, ^next
^write:
  llvm.store %0, %a : i32, !llvm.ptr<3>
  llvm.br ^next
^next:
  // CHECK: llvm.load {{.*}}<level divergent>
  %5 = llvm.load %a : !llvm.ptr<3> -> i32
  hetir.barrier
  // CHECK: llvm.load {{.*}}<level block>
  %6 = llvm.load %a : !llvm.ptr<3> -> i32
  %again = llvm.icmp "eq" %6, %zero : i32
  // CHECK: llvm.cond_br {{.*}}<level block>
  llvm.cond_br %again, ^loop, ^end
^end:
  llvm.return
}

// A store behind the load may come before that of another thread.
// CHECK-LABEL: llvm.func @written_behind
llvm.func @written_behind(%p: !llvm.ptr) attributes {hetir.kernel} {
  %tid = hetir.thread_id x
  %a = llvm.mlir.addressof @first : !llvm.ptr<3>
  hetir.barrier
  // CHECK: llvm.load {{.*}}<level divergent>
  %0 = llvm.load %a : !llvm.ptr<3> -> i32
  llvm.store %0, %p : i32, !llvm.ptr
  llvm.store %tid, %a : i32, !llvm.ptr<3>
  llvm.return
}

// So may an atomic, or one by an address that may be this object's.
// CHECK-LABEL: llvm.func @written_otherwise
llvm.func @written_otherwise(%p: !llvm.ptr, %c: i1) attributes {hetir.kernel} {
  %tid = hetir.thread_id x
  %a = llvm.mlir.addressof @first : !llvm.ptr<3>
  %b = llvm.mlir.addressof @second : !llvm.ptr<3>
  // CHECK: llvm.load {{.*}}<level divergent>
  %0 = llvm.load %a : !llvm.ptr<3> -> i32
  %1 = llvm.atomicrmw add %a, %tid monotonic : !llvm.ptr<3>, i32
  hetir.barrier
  %either = llvm.select %c, %a, %b : i1, !llvm.ptr<3>
  // CHECK: llvm.select
  // CHECK: llvm.load {{.*}}<level divergent>
  %2 = llvm.load %b : !llvm.ptr<3> -> i32
  llvm.store %tid, %either : i32, !llvm.ptr<3>
  hetir.barrier
  // CHECK: llvm.load {{.*}}<level block>
  %3 = llvm.load %b : !llvm.ptr<3> -> i32
  llvm.return
}

// An object whose address is kept in memory may be written by any address.
// CHECK-LABEL: llvm.func @kept
llvm.func @kept(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %tid = hetir.thread_id x
  %a = llvm.mlir.addressof @first : !llvm.ptr<3>
  %generic = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
  llvm.store %generic, %p : !llvm.ptr, !llvm.ptr
  hetir.barrier
  // CHECK: hetir.barrier
  // CHECK: llvm.load {{.*}}<level divergent>
  %0 = llvm.load %a : !llvm.ptr<3> -> i32
  llvm.store %tid, %q : i32, !llvm.ptr
  llvm.return
}

// Where some threads come to a barrier that others pass by, these may be further on.
// CHECK-LABEL: llvm.func @apart
llvm.func @apart(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tid = hetir.thread_id x
  %a = llvm.mlir.addressof @first : !llvm.ptr<3>
  %is0 = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %is0, ^some, ^others
^some:
  hetir.barrier
  llvm.br ^others
^others:
  // CHECK: llvm.load {{.*}}<level divergent>
  %0 = llvm.load %a : !llvm.ptr<3> -> i32
  hetir.barrier
  llvm.store %0, %p : i32, !llvm.ptr
  llvm.return
}

// A pointer into an argument may go anywhere if it is one that all threads have one copy of.

// CHECK-LABEL: llvm.func @grid_constant
llvm.func @grid_constant(%one: !llvm.ptr {hetir.grid_constant, llvm.byval = !llvm.array<2 x i32>},
                         %own: !llvm.ptr {llvm.byval = !llvm.array<2 x i32>},
                         %other: !llvm.ptr) attributes {hetir.kernel} {
  %tid = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %first = llvm.icmp "eq" %tid, %zero : i32
  %either = llvm.select %first, %one, %other : i1, !llvm.ptr
  %any = llvm.select %first, %own, %other : i1, !llvm.ptr
  // CHECK: llvm.load %{{.*}} {{.*}}<level divergent>
  %0 = llvm.load %either : !llvm.ptr -> i32
  // CHECK: llvm.load %{{.*}} {{.*}}<level divergent>
  %1 = llvm.load %any : !llvm.ptr -> i32
  // CHECK: llvm.load %{{.*}} {{.*}}<level grid>
  %2 = llvm.load %one : !llvm.ptr -> i32
  // CHECK: llvm.load %{{.*}} {{.*}}<level divergent>
  %3 = llvm.load %own : !llvm.ptr -> i32
  llvm.return
}
