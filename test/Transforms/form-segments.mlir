// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments --split-input-file | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments=schedule=true --split-input-file | FileCheck %s --check-prefix=SCHED

// Control is uniform: the block's control flow calls one segment after the other.
// CHECK-LABEL: llvm.func @uniform(%{{.*}}: i32, %{{.*}}: !llvm.ptr) -> i32
// CHECK-SAME: hetir.frame = {block_bytes = 128 : i64, thread_bytes = 8 : i64}
// CHECK: llvm.call @uniform.segment.0
// CHECK: llvm.call @uniform.segment.1
// CHECK: llvm.func internal @uniform.segment.0
// The lane loop is marked parallel; the value that crosses goes to its slot.
// CHECK: llvm.store %{{.*}} {access_groups
// CHECK: llvm.func internal @uniform.segment.1
// CHECK: llvm.load %{{.*}} {access_groups
// The same kernel by the scheduler: a switch over what runs next.
// SCHED-LABEL: llvm.func @uniform(
// SCHED: llvm.mlir.addressof @uniform.waits
// SCHED: llvm.call @__het_schedule_begin
// SCHED: llvm.call @__het_schedule_next
// SCHED: llvm.switch
llvm.func @uniform(%a: !llvm.ptr) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %i = llvm.zext %t : i32 to i64
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %p : !llvm.ptr -> f32
  hetir.barrier
  llvm.store %v, %p : f32, !llvm.ptr
  llvm.return
}

// -----

// A barrier behind a branch that lanes take differently needs the scheduler.
// CHECK-LABEL: llvm.func @divergent(
// CHECK: llvm.call @__het_schedule_next
llvm.func @divergent(%a: !llvm.ptr) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %limit = llvm.mlir.constant(7 : i32) : i32
  %c = llvm.icmp "ult" %t, %limit : i32
  llvm.cond_br %c, ^then, ^end
^then:
  hetir.barrier
  llvm.store %t, %a : i32, !llvm.ptr
  llvm.br ^end
^end:
  hetir.barrier
  llvm.return
}

// -----

// Threads that leave the loop end, so the others go round it together; but what they wait
// for may be another block's, which must get its turn.
// CHECK-LABEL: llvm.func @waiting(
// CHECK: llvm.call @__het_schedule_next
llvm.func @waiting(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = hetir.thread_id x
  %i = llvm.zext %t : i32 to i64
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.br ^head
^head:
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^head, ^exit
^exit:
  llvm.return
}

// -----

// A uniform value that crosses is an argument of the segment, not a slot of lanes.
// CHECK-LABEL: llvm.func @counter(
// CHECK: llvm.call @counter.segment.1(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, i32) -> ()
// CHECK: llvm.icmp "slt"
llvm.func @counter(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  hetir.barrier
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.store %next, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// Local objects behind the entry's safe point have their places in the frame too:
// 4 bytes for the pc, 16 and 32 for the two arrays.
// CHECK-LABEL: llvm.func @locals(
// CHECK-SAME: thread_bytes = 52 : i64
llvm.func @locals(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load %a : !llvm.ptr -> f32
  %x = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr
  llvm.store %v, %x : f32, !llvm.ptr
  llvm.store %v, %y : f32, !llvm.ptr
  llvm.return
}

// -----

// Barriers of a count, by a value's number or without waiting go by the scheduler, which
// finds their numbers and counts in slots and keeps their state of 256 bytes in the block's
// area. What lanes wait for: nothing, number 0 of all, a count, a value's number of all, an
// arrival.
// CHECK: llvm.func @by_number(
// CHECK-SAME: hetir.frame = {block_bytes = 384 : i64,
// CHECK: llvm.call @__het_schedule_begin
// CHECK: llvm.call @__het_barriers_begin
// CHECK: llvm.call @__het_schedule_next_by_number
// CHECK: @by_number.waits("\00\02\09\08\0A")
llvm.func @by_number(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %count = llvm.mlir.constant(64 : i32) : i32
  hetir.barrier
  hetir.barrier id 3 count %count
  hetir.named_barrier %n
  hetir.barrier_arrive %n count %count
  llvm.return
}

// -----

// Another number than 0 is the whole block's too: where all come together, they pass.
// CHECK-LABEL: llvm.func @number(
// CHECK-NOT: __het_schedule
// CHECK: llvm.call @number.segment.1
// SCHED-LABEL: llvm.func @number(
// SCHED: llvm.call @__het_schedule_next_by_number
llvm.func @number(%a: !llvm.ptr) attributes {hetir.kernel} {
  hetir.barrier id 3
  llvm.return
}

// -----

// A word of shared memory says whether all go on: the control between segments loads it.
// CHECK-LABEL: llvm.func @flag(
// CHECK-NOT: __het_schedule
// CHECK: llvm.call @flag.segment.2(%{{.*}}) : (!llvm.ptr) -> ()
// CHECK: [[WORD:%.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: [[AGAIN:%.*]] = llvm.icmp "ne" [[WORD]], %
// CHECK: llvm.cond_br [[AGAIN]]
// SCHED-LABEL: llvm.func @flag(
// SCHED: llvm.call @__het_schedule_next
llvm.mlir.global internal @word() {addr_space = 3 : i32} : i32
llvm.func @flag(%a: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %word = llvm.mlir.addressof @word : !llvm.ptr<3>
  %t = hetir.thread_id x
  %is0 = llvm.icmp "eq" %t, %zero : i32
  llvm.br ^loop
^loop:
  hetir.barrier
  llvm.cond_br %is0, ^fetch, ^fetched
^fetch:
  %v = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
  llvm.store %v, %word : i32, !llvm.ptr<3>
  llvm.br ^fetched
^fetched:
  hetir.barrier
  %w = llvm.load %word : !llvm.ptr<3> -> i32
  %again = llvm.icmp "ne" %w, %zero : i32
  llvm.cond_br %again, ^loop, ^end
^end:
  llvm.return
}

// -----

// A local object that is aligned to more than 32 bytes: what a thread has before it is
// rounded up, 4 bytes to 4, for the 32nd part of 128, and to 4 again; the object to 128.
// CHECK-LABEL: llvm.func @aligned(
// CHECK-SAME: thread_bytes = 132 : i64
llvm.func @aligned(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x !llvm.array<4 x f32> {alignment = 128 : i64} : (i32) -> !llvm.ptr
  %v = llvm.load %a : !llvm.ptr -> f32
  llvm.store %v, %x : f32, !llvm.ptr
  llvm.return
}

// -----

// Words that are the same for all lanes, of any kind of constant; undefined ones are zero.
// CHECK-LABEL: llvm.func @words(
// CHECK-DAG: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.zero : i32
// CHECK-DAG: llvm.store %[[SEVEN]], %{{.*}} : i32, !llvm.ptr
// CHECK-DAG: llvm.store %[[ZERO]], %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.call @__het_block_shuffle_b32
// CHECK: llvm.call @__het_block_shuffle_b32
// CHECK: llvm.call @__het_block_shuffle_b32
// CHECK: llvm.call @__het_block_shuffle_b32
// CHECK-NOT: llvm.mlir.{{undef|poison}}
// CHECK: llvm.return
llvm.func @words(%a: !llvm.ptr) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %lane = llvm.mlir.constant(3 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %zero = llvm.mlir.zero : i32
  %undef = llvm.mlir.undef : i32
  %poison = llvm.mlir.poison : i32
  %w0, %in0 = hetir.shuffle idx %mask, %seven, %lane, %clamp : i32
  %w1, %in1 = hetir.shuffle idx %mask, %zero, %lane, %clamp : i32
  %w2, %in2 = hetir.shuffle idx %mask, %undef, %lane, %clamp : i32
  %w3, %in3 = hetir.shuffle idx %mask, %poison, %lane, %clamp : i32
  %s1 = llvm.add %w0, %w1 : i32
  %s2 = llvm.add %s1, %w2 : i32
  %s3 = llvm.add %s2, %w3 : i32
  llvm.store %s3, %a : i32, !llvm.ptr
  llvm.return
}
