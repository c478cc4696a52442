// Kernels that a SIMT machine runs as they are, and that are parked and gone on with.
//
// RUN: het-opt %s --hetir-insert-safe-points=parkable --hetir-form-parkable --split-input-file | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=parkable --hetir-form-parkable --split-input-file | FileCheck %s --check-prefix=CLEAN
// CLEAN-NOT: hetir.safe_point

// A loop that a block goes round together: the barrier of its poll tells all threads what
// one of them has seen. The barriers of the kernel stay as they are. Where no block has
// begun, blocks begin by the flag alone, and loops have no other way in.
// CHECK-LABEL: llvm.mlir.global internal @het_parking.together() {addr_space = 3
// CHECK-SAME: !llvm.array<8 x i32>
// CHECK-LABEL: llvm.func @together(
// CHECK-SAME: %[[RECORD:[a-z0-9]+]]: !llvm.ptr {hetir.grid_constant, llvm.align = 8 : i64, llvm.byval = !llvm.array<12 x i64>}
// CHECK-SAME: hetir.frame = {shared_bytes = 128 : i64, thread_bytes = 12 : i64}
// CHECK-SAME: hetir.layout =
// CHECK: llvm.getelementptr inbounds %[[RECORD]][0]
// CHECK-NOT: -> i8
// CHECK: hetir.barrier_reduce{{ +}}or %{{.*}} {hetir.aligned}
// CHECK-NOT: -> i8
// The kernel's own code.
// CHECK: hetir.barrier {hetir.aligned}
// CHECK: hetir.barrier {hetir.aligned}
// The poll: all look.
// CHECK: llvm.load volatile %{{.*}} : !llvm.ptr<1> -> i32
// CHECK: %[[TOLD:.*]] = hetir.barrier_reduce{{ +}}or %{{.*}}
// CHECK: %[[NONE:.*]] = llvm.icmp "eq" %[[TOLD]]
// CHECK: llvm.cond_br %[[NONE]], ^bb{{[0-9]+}}, ^[[SAVE:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[SAVE]](%{{.*}}: i32):
// CHECK: llvm.cmpxchg %{{.*}} syncscope("block") acq_rel acquire
// All leave together: how many they are, and the number of each, say who copies what.
// CHECK: hetir.barrier_reduce{{ +}}count
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("block") acq_rel
// CHECK-NOT: -> i8
// CHECK-NOT: llvm.switch
// The form for any launch has the same words and the same code, and one entry more: a
// parked block goes on at the poll, from which the way leads to the next strip. A block that
// begins: all look what it is, and for the flag.
// CHECK-LABEL: llvm.func @together$resume(
// CHECK-SAME: {hetir.grid_constant, llvm.align = 8 : i64, llvm.byval = !llvm.array<12 x i64>}
// CHECK-SAME: hetir.layout =
// CHECK: llvm.mlir.addressof @het_parking.together :
// CHECK: hetir.barrier_reduce{{ +}}count
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK: hetir.barrier_reduce{{ +}}or %{{.*}} {hetir.aligned}
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<1>
// CHECK: hetir.barrier {hetir.aligned}
// CHECK: llvm.switch
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32> {
  %0 = llvm.mlir.undef : !llvm.array<32 x i32>
  llvm.return %0 : !llvm.array<32 x i32>
}
llvm.func @together(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  hetir.barrier {hetir.aligned}
  %t = hetir.thread_id x
  %p = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %i, %p : i32, !llvm.ptr<3>
  hetir.barrier {hetir.aligned}
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  %v = llvm.load %tile : !llvm.ptr<3> -> i32
  llvm.store %v, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// Threads that go round as often as their data say look at the flag alone. What they have
// is saved by each; without barriers, teams and shared memory nobody need know of it.
// CHECK-LABEL: llvm.mlir.global internal @het_parking.alone
// CHECK-LABEL: llvm.func @alone(
// CHECK: hetir.barrier_reduce{{ +}}or %{{.*}} {hetir.aligned}
// CHECK-NOT: hetir.barrier
// CHECK: %[[FLAG:.*]] = llvm.load volatile %{{.*}} : !llvm.ptr<1> -> i32
// CHECK-NOT: hetir.barrier
// CHECK: llvm.cond_br %{{.*}} weights([1, 1048576]), ^[[SAVE:bb[0-9]+]](%{{.*}} : i32, i32)
// CHECK-NOT: hetir.barrier
// CHECK: ^[[SAVE]](%{{.*}}: i32, %{{.*}}: i32):
// CHECK: llvm.cmpxchg
// CHECK-NOT: hetir.barrier
// CHECK-LABEL: llvm.func @alone$resume(
// CHECK: hetir.barrier_reduce{{ +}}or %{{.*}} {hetir.aligned}
// CHECK: llvm.switch %{{.*}} : i32, ^[[UNKNOWN:bb[0-9]+]] [
// CHECK-NEXT: -1: ^bb
// CHECK-NEXT: 0: ^bb
// CHECK-NEXT: 1: ^bb
// CHECK: ^[[UNKNOWN]]:
// CHECK-NEXT: hetir.trap
llvm.func @other()
llvm.func @alone(%a: !llvm.ptr) attributes {hetir.kernel} {
  llvm.call @other() : () -> ()
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %start = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^head(%start : i32)
^head(%i: i32):
  %next = llvm.lshr %i, %one : i32
  %more = llvm.icmp "ne" %next, %one : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.store %next, %p : i32, !llvm.ptr
  llvm.return
}

// -----

// Where threads park alone, those that wait for them at a barrier of the block find out by
// the number of the barrier, and lanes of a team by a ballot. Lanes may come apart.
// CHECK-LABEL: llvm.func @guarded
// CHECK: hetir.barrier{{$}}
// CHECK: llvm.load volatile %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: llvm.icmp "uge"
// CHECK: %[[CAME:.*]] = hetir.ballot %[[MASK:.*]], %{{.*}}
// CHECK: llvm.xor %[[CAME]]
// Who ends is counted: the last one saves shared memory.
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("block") acq_rel
// CHECK: hetir.fence{{ +}}block
// CHECK: hetir.shuffle{{ +}}xor
// Who parks says at which barrier, in which lane, and is counted, too.
// CHECK: llvm.atomicrmw umin %{{.*}} syncscope("block") acq_rel
// CHECK: llvm.atomicrmw _or %{{.*}} syncscope("block") acq_rel
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("block") acq_rel
llvm.mlir.global internal @word() {addr_space = 3 : i32, alignment = 4 : i64} : i32 {
  %0 = llvm.mlir.undef : i32
  llvm.return %0 : i32
}
llvm.func @other()
llvm.func @guarded(%a: !llvm.ptr) attributes {hetir.kernel} {
  llvm.call @other() : () -> ()
  %one = llvm.mlir.constant(1 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %word = llvm.mlir.addressof @word : !llvm.ptr<3>
  %t = hetir.thread_id x
  %p = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %start = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^head(%start : i32)
^head(%i: i32):
  %next = llvm.lshr %i, %one : i32
  %more = llvm.icmp "ne" %next, %one : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  hetir.barrier {hetir.aligned}
  %v = llvm.load %word : !llvm.ptr<3> -> i32
  %w, %in = hetir.shuffle xor %all, %v, %one, %clamp : i32
  llvm.store %w, %p : i32, !llvm.ptr
  llvm.return
}

// -----

// A local object is copied to the frame and back. It lives in the function's entry.
// CHECK-LABEL: llvm.func @local
// CHECK: %[[OBJECT:.*]] = llvm.alloca %{{.*}} x !llvm.array<4 x i32>
// CHECK: "llvm.intr.memcpy"(%[[KEPT:.*]], %[[OBJECT]], %{{.*}}) <{arg_attrs = [{llvm.align = 4 : i64}, {llvm.align = 4 : i64}, {}], isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr, i64)
// CHECK: "llvm.intr.memcpy"(%[[OBJECT]], %{{.*}}, %{{.*}}) <{arg_attrs = [{llvm.align = 4 : i64}, {llvm.align = 4 : i64}, {}], isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64)
llvm.func @local(%a: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %start = llvm.load %a : !llvm.ptr -> i32
  llvm.br ^head(%start : i32)
^head(%i: i32):
  %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %i, %p : i32, !llvm.ptr
  %next = llvm.load %x : !llvm.ptr -> i32
  %more = llvm.icmp "ne" %next, %one : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.store %next, %a : i32, !llvm.ptr
  llvm.return
}

// -----

// No block waits for one that is parked: the first thread takes its arrival back.
// CHECK-LABEL: llvm.func @grid
// CHECK-NOT: hetir.grid_barrier
// CHECK: hetir.barrier{{$}}
// CHECK: hetir.fence{{ +}}device
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("device") monotonic
// CHECK: llvm.load volatile
// CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
llvm.func @grid() attributes {hetir.kernel} {
  hetir.grid_barrier
  llvm.return
}

// -----

// What keeps state in the hardware is not parked inside; its blocks may still not begin.
// CHECK-LABEL: llvm.func @numbered
// CHECK-NOT: hetir.layout
// CHECK-SAME: hetir.unparkable = "a barrier has a number or a count"
// CHECK: hetir.barrier id 3 {hetir.aligned}
// CHECK: hetir.barrier_reduce{{ +}}or %{{.*}} {hetir.aligned}
llvm.func @numbered() attributes {hetir.kernel} {
  hetir.barrier id 3 {hetir.aligned}
  llvm.return
}

// -----

// Where blocks of such a kernel wait for each other, the first one decides for all.
// CHECK-LABEL: llvm.func @numbered_grid
// CHECK-SAME: hetir.unparkable
// CHECK: hetir.grid_barrier
// CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
// CHECK: hetir.barrier_reduce{{ +}}or %{{.*}} {hetir.aligned}
llvm.func @numbered_grid() attributes {hetir.kernel} {
  hetir.barrier id 3 {hetir.aligned}
  hetir.grid_barrier
  llvm.return
}
