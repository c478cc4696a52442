// Where lanes that have gone apart are stopped: behind stores that they made apart, once
// they have met; not where an earlier round of their loop stored, nor where one is alone.
//
// RUN: het-opt %s --hetir-insert-safe-points=team-ops --split-input-file | FileCheck %s

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// A copy is a load.
// CHECK-LABEL: llvm.func @met
// CHECK: ^bb1:
// CHECK: ^bb2:
// CHECK-NOT: safe_point
// CHECK: ^bb3:
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.intr.memcpy
llvm.func @met(%p: !llvm.ptr, %way: !llvm.ptr) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %size = llvm.mlir.constant(16 : i64) : i64
  %own = llvm.getelementptr %way[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %place = llvm.load %own : !llvm.ptr -> i32
  %isIn = llvm.icmp "sgt" %place, %zero : i32
  llvm.cond_br %isIn, ^in, ^out
^in:
  %odd = llvm.icmp "eq" %place, %t : i32
  llvm.cond_br %odd, ^store, ^behind
^store:
  %to = llvm.getelementptr %buffer[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %t, %to : i32, !llvm.ptr<3>
  llvm.br ^behind
^behind:
  %from = llvm.getelementptr %buffer[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
  "llvm.intr.memcpy"(%p, %from, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<3>, i64) -> ()
  llvm.br ^out
^out:
  llvm.return
}

// -----

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// CHECK-LABEL: llvm.func @rounds
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @rounds(%p: !llvm.ptr) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %by = llvm.mlir.constant(16 : i32) : i32
  %own = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %count = llvm.load %own : !llvm.ptr -> i32
  llvm.br ^head(%t : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %more, ^body, ^out
^body:
  %next = llvm.add %i, %by : i32
  %from = llvm.getelementptr %buffer[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %from : !llvm.ptr<3> -> i32
  %to = llvm.getelementptr %buffer[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %value, %to : i32, !llvm.ptr<3>
  llvm.br ^head(%next : i32)
^out:
  hetir.barrier
  llvm.return
}

// -----

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// CHECK-LABEL: llvm.func @alone
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @alone(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %zero = llvm.mlir.constant(0 : i32) : i32
  %first = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %first, ^in, ^out
^in:
  %place = llvm.load %p : !llvm.ptr -> i32
  %odd = llvm.icmp "sgt" %place, %n : i32
  llvm.cond_br %odd, ^store, ^behind
^store:
  %to = llvm.getelementptr %buffer[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %t, %to : i32, !llvm.ptr<3>
  llvm.br ^behind
^behind:
  %from = llvm.getelementptr %buffer[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %from : !llvm.ptr<3> -> i32
  llvm.store %value, %p : i32, !llvm.ptr
  llvm.br ^out
^out:
  llvm.return
}

// -----

// What all lanes load is among what they store.
// CHECK-LABEL: llvm.func @update
// CHECK: llvm.fdiv
// CHECK-NEXT: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.store
llvm.func @update(%n: i32, %pivot: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %c = hetir.thread_id x
  %r = hetir.thread_id y
  %row = llvm.mul %r, %n : i32
  %own = llvm.add %row, %c : i32
  %other = llvm.add %row, %pivot : i32
  %to = llvm.getelementptr %m[%own] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %from = llvm.getelementptr %m[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %a = llvm.load %to : !llvm.ptr<3> -> f32
  %b = llvm.load %from : !llvm.ptr<3> -> f32
  %quotient = llvm.fdiv %a, %b : f32
  llvm.store %quotient, %to : f32, !llvm.ptr<3>
  hetir.barrier
  llvm.return
}

// -----

// Of another array in the same memory, with a sync point between, from a higher place,
// from a lane's partner, and counted up from the lane: not one stop.
// CHECK-LABEL: llvm.func @no_update
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @no_update(%n: i32, %pivot: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %t = hetir.thread_id x
  %from = llvm.getelementptr %m[%pivot] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %behind = llvm.getelementptr %m[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %to = llvm.getelementptr %behind[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %a = llvm.load %from : !llvm.ptr<3> -> f32
  llvm.store %a, %to : f32, !llvm.ptr<3>
  hetir.barrier
  %own = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %b = llvm.load %from : !llvm.ptr<3> -> f32
  hetir.barrier
  llvm.store %b, %own : f32, !llvm.ptr<3>
  hetir.barrier
  %next = llvm.add %t, %pivot : i32
  %higher = llvm.getelementptr %m[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %c = llvm.load %higher : !llvm.ptr<3> -> f32
  llvm.store %c, %own : f32, !llvm.ptr<3>
  hetir.barrier
  %partner = llvm.xor %t, %n : i32
  %its = llvm.getelementptr %m[%partner] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %d = llvm.load %its : !llvm.ptr<3> -> f32
  llvm.store %d, %own : f32, !llvm.ptr<3>
  hetir.barrier
  llvm.br ^loop(%t, %zero : i32, f32)
^loop(%i: i32, %sum: f32):
  %place = llvm.getelementptr %m[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %e = llvm.load %place : !llvm.ptr<3> -> f32
  %added = llvm.fadd %sum, %e : f32
  %following = llvm.add %i, %n : i32
  %more = llvm.icmp "slt" %following, %pivot : i32
  llvm.cond_br %more, ^loop(%following, %added : i32, f32), ^out
^out:
  llvm.store %added, %own : f32, !llvm.ptr<3>
  hetir.barrier
  llvm.return
}

// -----

// A scan's step, with a distance that is not known: from a lower place.
// CHECK-LABEL: llvm.func @step
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.store
llvm.func @step(%by: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %t = hetir.thread_id x
  %before = llvm.sub %t, %by : i32
  %to = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %from = llvm.getelementptr %m[%before] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %a = llvm.load %to : !llvm.ptr<3> -> i32
  %b = llvm.load %from : !llvm.ptr<3> -> i32
  %sum = llvm.add %a, %b : i32
  llvm.store %sum, %to : i32, !llvm.ptr<3>
  hetir.barrier
  llvm.return
}

// -----

// Lanes that came apart go round a loop together: the next round meets what this one stored.
// CHECK-LABEL: llvm.func @common_rounds
// CHECK: ^bb2({{.*}}
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.load
llvm.func @common_rounds(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %way = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %kept = llvm.load %way : !llvm.ptr -> i32
  %isIn = llvm.icmp "slt" %kept, %n : i32
  llvm.cond_br %isIn, ^in, ^out
^in:
  %to = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^head(%n : i32)
^head(%by: i32):
  %next = llvm.add %t, %by : i32
  %from = llvm.getelementptr %m[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %from : !llvm.ptr<3> -> i32
  %isFew = llvm.icmp "slt" %t, %by : i32
  llvm.cond_br %isFew, ^store, ^latch
^store:
  llvm.store %value, %to : i32, !llvm.ptr<3>
  llvm.br ^latch
^latch:
  %half = llvm.lshr %by, %one : i32
  %more = llvm.icmp "sgt" %half, %one : i32
  llvm.cond_br %more, ^head(%half : i32), ^out
^out:
  llvm.return
}

// -----

// Columns are as far apart as the block is wide; rows of a small block are not.
// CHECK-LABEL: llvm.func @columns
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @columns(%value: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %t = hetir.thread_id x
  %width = hetir.block_dim x
  %next = llvm.add %t, %width : i32
  %to = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %from = llvm.getelementptr %m[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %value, %to : i32, !llvm.ptr<3>
  %a = llvm.load %from : !llvm.ptr<3> -> i32
  llvm.store %a, %p : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// CHECK-LABEL: llvm.func @rows_of_block
// CHECK: llvm.store
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.load
llvm.func @rows_of_block(%value: i32, %p: !llvm.ptr) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %t = hetir.thread_id x
  %r = hetir.thread_id y
  %width = hetir.block_dim x
  %row = llvm.mul %r, %width : i32
  %own = llvm.add %row, %t : i32
  %next = llvm.add %own, %width : i32
  %to = llvm.getelementptr %m[%own] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %from = llvm.getelementptr %m[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %value, %to : i32, !llvm.ptr<3>
  %a = llvm.load %from : !llvm.ptr<3> -> i32
  llvm.store %a, %p : i32, !llvm.ptr
  hetir.barrier
  llvm.return
}

// -----

// What all lanes read of the last round, before this one stores; not behind a barrier.
// CHECK-LABEL: llvm.func @broadcast
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.store %{{.*}} !llvm.ptr<3>
// CHECK: hetir.barrier
llvm.func @broadcast(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %to = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %out = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  llvm.store %i, %to : i32, !llvm.ptr<3>
  hetir.barrier
  %sum = llvm.load %m : !llvm.ptr<3> -> i32
  llvm.store %sum, %out : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @broadcast_in_order
// CHECK-NOT: hetir.safe_point {{[0-9]+}} loop
// CHECK: llvm.return
llvm.func @broadcast_in_order(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %to = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %out = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  llvm.store %i, %to : i32, !llvm.ptr<3>
  hetir.barrier
  %sum = llvm.load %m : !llvm.ptr<3> -> i32
  hetir.barrier
  llvm.store %sum, %out : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^end
^end:
  llvm.return
}

// -----

// The rows of an array of arrays, by one address computation.
// CHECK-LABEL: llvm.func @array_of_rows
// CHECK: llvm.add
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.store
llvm.mlir.global internal @rows() {addr_space = 3 : i32} : !llvm.array<4 x array<32 x i32>>
llvm.func @array_of_rows(%by: i32) attributes {hetir.kernel} {
  %m = llvm.mlir.addressof @rows : !llvm.ptr<3>
  %t = hetir.thread_id x
  %r = hetir.thread_id y
  %before = llvm.sub %t, %by : i32
  %to = llvm.getelementptr %m[0, %r, %t] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<4 x array<32 x i32>>
  %from = llvm.getelementptr %m[0, %r, %before] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<4 x array<32 x i32>>
  %a = llvm.load %to : !llvm.ptr<3> -> i32
  %b = llvm.load %from : !llvm.ptr<3> -> i32
  %sum = llvm.add %a, %b : i32
  llvm.store %sum, %to : i32, !llvm.ptr<3>
  hetir.barrier
  llvm.return
}

// -----

// Where one lane goes on alone, what is left of its place has no number of the lane.
// CHECK-LABEL: llvm.func @lone_row
// CHECK: ^bb1:
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.load
llvm.func @lone_row(%p: !llvm.ptr, %value: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %t = hetir.thread_id x
  %r = hetir.thread_id y
  %row = llvm.shl %r, %five : i32
  %own = llvm.add %row, %t : i32
  %to = llvm.getelementptr %m[%own] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %value, %to : i32, !llvm.ptr<3>
  %first = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %first, ^in, ^out
^in:
  %next = llvm.add %row, %one : i32
  %from = llvm.getelementptr %m[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %other = llvm.load %from : !llvm.ptr<3> -> i32
  llvm.store %other, %p : i32, !llvm.ptr
  llvm.br ^out
^out:
  llvm.return
}

// -----

llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<64 x i32>

// A volatile store behind one to a lower address, which a later lane's would come over;
// not where it is the other way round.
// CHECK-LABEL: llvm.func @overwritten
// CHECK: llvm.store volatile
// CHECK-NEXT: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.store volatile
// CHECK-NEXT: llvm.store volatile
llvm.func @overwritten(%p: !llvm.ptr) attributes {hetir.kernel} {
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %t = hetir.thread_id x
  %low = llvm.getelementptr %buffer[0, %t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
  %high = llvm.getelementptr %low[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  llvm.store volatile %t, %low : i32, !llvm.ptr<3>
  llvm.store volatile %t, %high : i32, !llvm.ptr<3>
  llvm.store volatile %t, %low : i32, !llvm.ptr<3>
  llvm.return
}
