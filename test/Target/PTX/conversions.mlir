// `cvt` saturates by itself; a NaN is looked at only where its result is not 0.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry words(
// CHECK-NOT: setp
// CHECK: cvt.rzi.s32.f32
// CHECK-NOT: setp
// CHECK: cvt.rzi.u32.f32
// CHECK-NOT: setp
// CHECK: ret;
llvm.func @words(%out: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %s = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%x) : (f32) -> i32
  %u = llvm.call_intrinsic "llvm.fptoui.sat.i32.f32"(%x) : (f32) -> i32
  %r = llvm.xor %s, %u : i32
  llvm.store %r, %out : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry long(
// CHECK-COUNT-1: setp.nan.f64
// CHECK-NOT: setp
// CHECK: ret;
llvm.func @long(%out: !llvm.ptr, %x: f64) attributes {hetir.kernel} {
  %s = llvm.call_intrinsic "llvm.fptosi.sat.i64.f64"(%x) : (f64) -> i64
  llvm.store %s, %out : i64, !llvm.ptr
  llvm.return
}
