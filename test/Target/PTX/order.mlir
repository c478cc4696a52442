// Barriers and fences.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry barriers(
// CHECK: bar.sync 0;
// CHECK: bar.sync 3, 64;
// CHECK: bar.red.popc.u32
// CHECK: barrier.red.and.pred
llvm.func @barriers(%out: !llvm.ptr, %p: i1) attributes {hetir.kernel} {
  hetir.safe_point 0 barrier
  hetir.barrier {hetir.aligned}
  %count = llvm.mlir.constant(64 : i32) : i32
  hetir.barrier id 3 count %count {hetir.aligned}
  %n = hetir.barrier_reduce count %p {hetir.aligned}
  %a = hetir.barrier_reduce and %p
  %s = llvm.add %n, %a : i32
  llvm.store %s, %out : i32, !llvm.ptr
  llvm.return
}

// Only barriers of which that is known are aligned; numbers and counts may be registers.
// CHECK-LABEL: .visible .entry by_number(
// CHECK: barrier.sync 0;
// CHECK: barrier.sync 15, 64;
// CHECK: bar.sync [[NUMBER:%r[0-9]+]];
// CHECK: barrier.sync [[NUMBER]], [[COUNT:%r[0-9]+]];
// CHECK: bar.arrive [[NUMBER]], 64;
// CHECK: barrier.arrive 2, [[COUNT]];
llvm.func @by_number(%number: i32, %count: i32) attributes {hetir.kernel} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %threads = llvm.mlir.constant(64 : i32) : i32
  hetir.barrier
  hetir.barrier id 15 count %threads
  hetir.named_barrier %number {hetir.aligned}
  hetir.named_barrier %number count %count
  hetir.barrier_arrive %number count %threads {hetir.aligned}
  hetir.barrier_arrive %two count %count
  llvm.return
}

// A team's fence is a block's: the machine has no smaller one.
// CHECK-LABEL: .visible .entry fences(
// CHECK: fence.sc.cta
// CHECK: fence.sc.cta
// CHECK: fence.sc.gpu
// CHECK: fence.sc.sys
llvm.func @fences(%p: !llvm.ptr) attributes {hetir.kernel} {
  %x = llvm.mlir.constant(1 : i32) : i32
  llvm.store %x, %p : i32, !llvm.ptr
  hetir.fence team
  llvm.store volatile %x, %p : i32, !llvm.ptr
  hetir.fence block
  llvm.store volatile %x, %p : i32, !llvm.ptr
  hetir.fence device
  llvm.store volatile %x, %p : i32, !llvm.ptr
  hetir.fence system
  llvm.return
}

// All blocks meet by one word.
// CHECK: .global .align 4 .u32 het$grid_barrier_word
// CHECK-LABEL: .visible .entry grid(
// CHECK: bar.sync 0;
// CHECK: fence.sc.gpu
// CHECK: atom.global.add.u32
// CHECK: ld.volatile.global
// CHECK: bar.sync 0;
llvm.func @grid() attributes {hetir.kernel} {
  hetir.grid_barrier
  llvm.return
}

// CHECK-LABEL: .visible .entry exchanges(
// CHECK: fence.release.sys
// CHECK: atom.global.add.u32
// CHECK: fence.acquire.sys
// CHECK: fence.sc.cta
// CHECK: atom.global.exch.b32
// CHECK: fence.acquire.cta
// CHECK-NOT: fence
// CHECK: atom.global.max.u32
// CHECK-NOT: fence
// CHECK: ret
llvm.func @exchanges(%p: !llvm.ptr<1>, %v: i32) attributes {hetir.kernel} {
  %0 = llvm.atomicrmw add %p, %v acq_rel : !llvm.ptr<1>, i32
  %1 = llvm.atomicrmw xchg %p, %0 syncscope("block") seq_cst : !llvm.ptr<1>, i32
  %2 = llvm.atomicrmw umax %p, %1 monotonic : !llvm.ptr<1>, i32
  llvm.return
}

// A launch is cooperative where the driver gives it a workspace for the grid.
// CHECK-LABEL: .visible .entry cooperative(
// CHECK-DAG: mov.b32 [[LOW:%r[0-9]+]], %envreg1;
// CHECK-DAG: mov.b32 [[HIGH:%r[0-9]+]], %envreg2;
// CHECK: or.b32 [[ANY:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK: setp.ne.{{[bsu]}}32 {{%p[0-9]+}}, [[ANY]], 0;
llvm.func @cooperative(%p: !llvm.ptr) attributes {hetir.kernel} {
  %c = hetir.cooperative
  llvm.store %c, %p : i32, !llvm.ptr
  llvm.return
}
