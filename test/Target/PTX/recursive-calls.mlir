// Lanes that call a function that may call itself meet behind the call, by a mask that
// ptxas does not see through; calls inside the recursion, and of other functions, do not.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .func{{.*}} again(
// CHECK-NOT: bar.warp.sync
// CHECK: call{{.*}} again,
// CHECK-NOT: bar.warp.sync
// CHECK: ret;
llvm.func internal @again(%depth: i32, %x: i32) -> i32 attributes {no_inline} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "eq" %depth, %zero : i32
  llvm.cond_br %end, ^last(%x : i32), ^more
^more:
  %less = llvm.sub %depth, %one : i32
  %square = llvm.mul %x, %x : i32
  %rest = llvm.call @again(%less, %square) : (i32, i32) -> i32
  %both = llvm.xor %rest, %x : i32
  %sum = llvm.udiv %both, %rest : i32
  llvm.br ^last(%sum : i32)
^last(%result: i32):
  llvm.return %result : i32
}

llvm.func internal @once(%x: i32) -> i32 attributes {no_inline} {
  %square = llvm.mul %x, %x : i32
  llvm.return %square : i32
}

// CHECK-LABEL: .visible .entry calls(
// CHECK-DAG: activemask.b32 [[ACTIVE:%r[0-9]+]];
// CHECK-DAG: and.b32 [[ZERO:%r[0-9]+]], {{%r[0-9]+}}, 1;
// CHECK: or.b32 [[LANES:%r[0-9]+]], [[ACTIVE]], [[ZERO]];
// CHECK: call{{.*}} again,
// CHECK: bar.warp.sync [[LANES]];
// CHECK: call{{.*}} once,
// CHECK-NOT: bar.warp.sync
// CHECK: ret;
llvm.func @calls(%out: !llvm.ptr<1>, %depth: i32, %x: i32) attributes {hetir.kernel} {
  %a = llvm.call @again(%depth, %x) : (i32, i32) -> i32
  %b = llvm.call @once(%a) : (i32) -> i32
  llvm.store %b, %out : i32, !llvm.ptr<1>
  llvm.return
}
