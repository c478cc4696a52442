// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_75;ptx64" %s | FileCheck %s --check-prefix=SM75
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=loop --options=parkable %s | FileCheck %s --check-prefix=PARKABLE

// Structures are copied by the largest accesses that their alignment allows.

// CHECK-LABEL: .visible .entry structures(
// CHECK: ld.global.v4.b32
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
llvm.func @structures(%to: !llvm.ptr<1>, %from: !llvm.ptr<1>) attributes {hetir.kernel} {
  %size = llvm.mlir.constant(32 : i64) : i64
  "llvm.intr.memcpy"(%to, %from, %size) <{arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}], isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64) -> ()
  llvm.return
}

// With less alignment, too, all loads come before the first store.

// CHECK-LABEL: .visible .entry narrow(
// CHECK-COUNT-2: ld.global.b32
// CHECK: ld.global.b16
// CHECK-COUNT-2: st.global.b32
// CHECK: st.global.b16
// CHECK-NOT: st.global
// CHECK: ret;
llvm.func @narrow(%to: !llvm.ptr<1>, %from: !llvm.ptr<1>) attributes {hetir.kernel} {
  %size = llvm.mlir.constant(10 : i64) : i64
  "llvm.intr.memcpy"(%to, %from, %size) <{arg_attrs = [{llvm.align = 8 : i64}, {llvm.align = 4 : i64}, {}], isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64) -> ()
  llvm.return
}

llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<1024 x i8>
  llvm.return %0 : !llvm.array<1024 x i8>
}

// Asynchronous copies are the machine's, where it has them. A copy whose parts have become
// apart is a load and a store.

// CHECK-LABEL: .visible .entry asynchronous(
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8;
// CHECK: cp.async.commit_group;
// CHECK-NEXT: ld.global.b32
// CHECK-NEXT: cp.async.wait_group 1;
// CHECK-NEXT: st.shared.b32
// CHECK: cp.async.wait_all;
// CHECK: ret;
// SM75-LABEL: .visible .entry asynchronous(
// SM75-NOT: cp.async
// SM75: st.shared.v4
// SM75-NOT: cp.async
// SM75: ret;
llvm.func @asynchronous(%out: !llvm.ptr<1>, %from: !llvm.ptr<1>) attributes {hetir.kernel} {
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %lane = hetir.thread_id x
  %to = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<16 x i8>
  %0 = llvm.load %from {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  llvm.store %0, %to {alignment = 16 : i64, hetir.copy = "cg"} : vector<4xi32>, !llvm.ptr<3>
  %1 = llvm.load %from {alignment = 8 : i64} : !llvm.ptr<1> -> i64
  llvm.store %1, %tile {alignment = 8 : i64, hetir.copy = "ca"} : i64, !llvm.ptr<3>
  hetir.copy_group
  %2 = llvm.load %from : !llvm.ptr<1> -> i32
  hetir.copy_wait 1
  llvm.store %2, %to {hetir.copy = "ca"} : i32, !llvm.ptr<3>
  hetir.copy_wait
  hetir.barrier
  %3 = llvm.load %to : !llvm.ptr<3> -> i32
  llvm.store %3, %out : i32, !llvm.ptr<1>
  llvm.return
}

// Before a suspended block's shared memory is saved all has come.

// PARKABLE-LABEL: .visible .entry loop(
// PARKABLE-COUNT-2: cp.async.wait_all;
// PARKABLE: barrier.red.popc
llvm.func @loop(%from: !llvm.ptr<1>, %times: i32) attributes {hetir.kernel} {
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^body(%zero : i32)
^body(%i: i32):
  %0 = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  llvm.store %0, %tile {alignment = 4 : i64, hetir.copy = "ca"} : i32, !llvm.ptr<3>
  hetir.copy_wait
  hetir.barrier
  %1 = llvm.load %tile : !llvm.ptr<3> -> i32
  llvm.store %1, %from : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  %goes_on = llvm.icmp "slt" %next, %times : i32
  llvm.cond_br %goes_on, ^body(%next : i32), ^end
^end:
  llvm.return
}
