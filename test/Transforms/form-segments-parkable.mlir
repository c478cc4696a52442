// RUN: het-opt %s --hetir-insert-safe-points=parkable=true --hetir-form-segments --split-input-file | FileCheck %s

// Control is uniform: a chained form, which parks at polls, to which all threads come
// together, and a scheduled one to go on with.

// A block that was suspended (its pc is 0x7FFFFFFD), or that waits in the chained form
// (0x20000000, without the bit above, which 0x6FFFFFFF and 0x7FFFFFFE of the scheduled form
// have), is that form's, unless it says that threads stand apart (0x7FFFFFFC).
// CHECK-LABEL: llvm.func @chained.resume(
// CHECK-SAME: %[[PC:arg0]]: i32
// CHECK: %[[SUSPENDED:.*]] = llvm.mlir.constant(2147483645 : i32)
// CHECK: llvm.icmp "eq" %[[PC]], %[[SUSPENDED]]
// CHECK: %[[BITS:.*]] = llvm.mlir.constant(1610612736 : i32)
// CHECK: %[[MARK:.*]] = llvm.and %[[PC]], %[[BITS]]
// CHECK: %[[CHAIN:.*]] = llvm.mlir.constant(536870912 : i32)
// CHECK: llvm.icmp "eq" %[[MARK]], %[[CHAIN]]
// CHECK: %[[RESULT:.*]] = llvm.call @chained(
// CHECK: %[[APART:.*]] = llvm.mlir.constant(2147483644 : i32)
// CHECK: llvm.icmp "ne" %[[RESULT]], %[[APART]]
// CHECK: llvm.call @chained.resume.scheduled(%[[PC]]

// CHECK-LABEL: llvm.func internal @chained.resume.scheduled(
// CHECK: llvm.call @__het_schedule_next_or_park_at_poll

// CHECK-LABEL: llvm.func @chained(
// CHECK-SAME: hetir.layout
// CHECK-SAME: hetir.resume = @chained.resume
// CHECK: %[[ASKED:.*]] = hetir.parking
// CHECK: %[[PARK:.*]] = llvm.icmp "ne" %[[ASKED]]
// CHECK: llvm.cond_br %[[PARK]]
// CHECK-NOT: hetir.parking
// CHECK: llvm.call @chained.park.[[POLL:[0-9]+]]
// CHECK: llvm.mlir.constant(2147483645 : i32)

// Threads stand together at the poll, and hold the value and the count in common.
// CHECK: %[[AT:.*]] = llvm.call @__het_suspended_at(
// CHECK: llvm.switch %[[AT]]
// CHECK-COUNT-2: llvm.call @__het_is_uniform(

// What all threads have in common goes to each one's slot when the block parks.
// CHECK-LABEL: llvm.func internal @chained.park.
// CHECK-SAME: %[[V:arg[0-9]+]]: f32
// CHECK: llvm.store %[[V]]

llvm.func @chained(%a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load %a invariant : !llvm.ptr -> f32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  hetir.barrier
  llvm.store %v, %b : f32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.return
}

// -----

// Control is divergent, and threads poll alone: one function for both. A parked lane
// brings to its operation what the operation takes: here a value from its slot and a mask
// that is a constant.
// CHECK-LABEL: llvm.func @scheduled(
// CHECK-SAME: hetir.resume = @scheduled
// CHECK: hetir.parking
// CHECK: llvm.call @__het_schedule_next_or_park(
// CHECK: llvm.call @scheduled.resume.arrive

// CHECK-LABEL: llvm.func internal @scheduled.resume.arrive
// CHECK: llvm.switch
// CHECK: llvm.store
llvm.func @other()
llvm.func @scheduled(%a: !llvm.ptr) attributes {hetir.kernel} {
  llvm.call @other() : () -> ()
  %mask = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^head(%t : i32)
^head(%i: i32):
  %next = llvm.lshr %i, %one : i32
  %more = llvm.icmp "ne" %next, %zero : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  %first = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %first, ^vote, ^end
^vote:
  %v = llvm.load %a : !llvm.ptr -> i1
  %r = hetir.ballot %mask, %v
  llvm.store %r, %a : i32, !llvm.ptr
  llvm.br ^end
^end:
  hetir.barrier
  llvm.store %t, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// Threads that poll alone are not parked in the chained form: there their loops have no
// strips.
// CHECK-LABEL: llvm.func internal @lone.resume.segment.0(
// CHECK: llvm.intr.smin
// CHECK-LABEL: llvm.func internal @lone.segment.0(
// CHECK-NOT: llvm.intr.smin
// CHECK-LABEL: llvm.func internal @lone.segment.1(
llvm.func @other()
llvm.func @lone(%a: !llvm.ptr, %n: i32, %s: i32) attributes {hetir.kernel} {
  llvm.call @other() : () -> ()
  %t = hetir.thread_id x
  %m = llvm.icmp "slt" %t, %n : i32
  llvm.cond_br %m, ^loop(%t : i32), ^end
^loop(%i: i32):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %i, %p : i32, !llvm.ptr
  %next = llvm.add %i, %s : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  hetir.barrier
  llvm.store %n, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// A loop of few rounds has no safe point; in the chained form it has, for the loop over
// the lanes to be the inner one, but blocks are not parked there.
// CHECK-LABEL: llvm.func @few(
// CHECK-COUNT-1: hetir.parking
// CHECK-NOT: hetir.parking
// CHECK: llvm.func internal @few.segment.0(
// CHECK: llvm.func internal @few.segment.7(
llvm.func @few(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %most = llvm.mlir.constant(8 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^rows(%zero, %t : i32, i32)
^rows(%i: i32, %v: i32):
  llvm.br ^cells(%zero, %v : i32, i32)
^cells(%k: i32, %w: i32):
  %p = llvm.getelementptr %a[%w] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %x = llvm.load %p : !llvm.ptr -> i32
  %k1 = llvm.add %k, %one : i32
  %cell = llvm.icmp "slt" %k1, %most : i32
  llvm.cond_br %cell, ^cells(%k1, %x : i32, i32), ^row
^row:
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^rows(%next, %x : i32, i32), ^end
^end:
  llvm.store %x, %a : i32, !llvm.ptr
  llvm.return
}
