// Which space an address is in. Constants lie in global memory, and are told by their
// addresses; the rest by isspacep.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

llvm.mlir.global external constant @table() {addr_space = 4 : i32, alignment = 4 : i64, hetir.variable} : !llvm.array<6 x i32>

// The address is read: what a kernel is given is known to be global.
// CHECK-LABEL: .visible .entry shared_or_local(
// CHECK-DAG: isspacep.shared
// CHECK-DAG: isspacep.local
llvm.func @shared_or_local(%out: !llvm.ptr<1>, %from: !llvm.ptr<1>) attributes {hetir.kernel} {
  %p = llvm.load %from : !llvm.ptr<1> -> !llvm.ptr
  %shared = hetir.is_space shared %p : !llvm.ptr
  %local = hetir.is_space local %p : !llvm.ptr
  %either = llvm.or %shared, %local : i1
  llvm.store %either, %out : i1, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry constant(
// CHECK: ld.const.b64 [[TABLE:%rd[0-9]+]], [het$variables]
// CHECK: cvta.global.u64 [[GENERIC:%rd[0-9]+]], [[TABLE]]
// CHECK: sub.s64 [[OFFSET:%rd[0-9]+]], {{%rd[0-9]+}}, [[GENERIC]]
// CHECK: setp.lt.u64 {{%p[0-9]+}}, [[OFFSET]], 24
// CHECK-NOT: isspacep
// CHECK: ret;
llvm.func @constant(%out: !llvm.ptr<1>, %p: !llvm.ptr) attributes {hetir.kernel} {
  %constant = hetir.is_space constant %p : !llvm.ptr
  llvm.store %constant, %out : i1, !llvm.ptr<1>
  llvm.return
}

// A constant is not global, nor a parameter.
// CHECK-LABEL: .visible .entry global(
// CHECK-DAG: isspacep.global
// CHECK-DAG: isspacep.param
// CHECK-DAG: ld.const.b64 {{%rd[0-9]+}}, [het$variables]
llvm.func @global(%out: !llvm.ptr<1>, %from: !llvm.ptr<1>, %kept: !llvm.ptr {llvm.byval = i64, hetir.grid_constant}) attributes {hetir.kernel} {
  %p = llvm.load %from : !llvm.ptr<1> -> !llvm.ptr
  %global = hetir.is_space global %p : !llvm.ptr
  llvm.store %global, %out : i1, !llvm.ptr<1>
  llvm.return
}
