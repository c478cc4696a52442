// Rounding modes are instructions; approximations are the machine's where they are
// asked for; the rest is the device library's, and nothing is fused.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry rounded(
// CHECK: add.rz.f32
// CHECK: sub.rm.f32
// CHECK: div.rp.f64
// CHECK: cvt.rpi.s32.f32
llvm.func @rounded(%f: !llvm.ptr, %d: !llvm.ptr, %i: !llvm.ptr, %x: f32, %y: f32, %z: f64) attributes {hetir.kernel} {
  %a = hetir.math "add_rz"(%x, %y) exact : (f32, f32) -> f32
  %b = hetir.math "sub_rd"(%a, %y) exact : (f32, f32) -> f32
  %c = hetir.math "div_ru"(%z, %z) exact : (f64, f64) -> f64
  %e = hetir.math "float2int_ru"(%b) exact : (f32) -> i32
  llvm.store %b, %f : f32, !llvm.ptr
  llvm.store %c, %d : f64, !llvm.ptr
  llvm.store %e, %i : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry approximate(
// CHECK: sin.approx.f32
// CHECK: mul.rn.f32 {{.*}}, 0f3FB8AA3B
// CHECK: ex2.approx.f32
// CHECK: div.approx.f32
llvm.func @approximate(%f: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %a = hetir.math "sin"(%x) approx : (f32) -> f32
  %b = hetir.math "exp"(%a) approx : (f32) -> f32
  %c = hetir.math "div"(%b, %x) approx : (f32, f32) -> f32
  llvm.store %c, %f : f32, !llvm.ptr
  llvm.return
}

// -prec-div=false and -prec-sqrt=false: what nvcc takes, right for all operands.
// CHECK-LABEL: .visible .entry relaxed(
// CHECK: div.full.f32
// CHECK: rcp.approx.f32
// CHECK: sqrt.approx.f32
llvm.func @relaxed(%f: !llvm.ptr, %x: f32, %y: f32) attributes {hetir.kernel} {
  %a = hetir.math "div_full"(%x, %y) approx : (f32, f32) -> f32
  %b = hetir.math "rcp"(%a) approx : (f32) -> f32
  %c = hetir.math "sqrt"(%b) approx : (f32) -> f32
  llvm.store %c, %f : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry exact(
// CHECK-NOT: approx
// CHECK-NOT: call
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: div.rn.f32
// CHECK: sqrt.rn.f32
// CHECK: ret;
llvm.func @exact(%f: !llvm.ptr, %x: f32, %y: f32) attributes {hetir.kernel} {
  %s = hetir.math "exp"(%x) exact : (f32) -> f32
  %m = llvm.fmul %s, %y : f32
  %a = llvm.fadd %m, %x : f32
  %d = llvm.fdiv %a, %y : f32
  %q = llvm.intr.sqrt(%d) : (f32) -> f32
  llvm.store %q, %f : f32, !llvm.ptr
  llvm.return
}

// Sine and cosine of one number have one branch for large numbers, and one reduction.
// CHECK-LABEL: .visible .entry both(
// CHECK-NOT: call
// CHECK: fma.rn.f32 {{.*}}, 0f3F22F983, 0f4B400000
// CHECK-NOT: 0f3F22F983
// CHECK: ret;
llvm.func @both(%f: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %c = hetir.math "cos"(%x) exact : (f32) -> f32
  %d = llvm.fadd %c, %x : f32
  %s = hetir.math "sin"(%x) exact : (f32) -> f32
  %again = hetir.math "cos"(%x) exact : (f32) -> f32
  %e = llvm.fmul %d, %s : f32
  %y = llvm.fmul %e, %again : f32
  llvm.store %y, %f : f32, !llvm.ptr
  llvm.return
}

// Float arithmetic that flushes is the machine's, with .ftz; sines of it are the library's.
// CHECK-LABEL: .visible .entry flushed(
// CHECK: add.rn.ftz.f32
// CHECK: mul.rn.ftz.f32
// CHECK: fma.rn.ftz.f32
// CHECK: div.rn.ftz.f32
// CHECK: max.ftz.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: rcp.approx.ftz.f32
// CHECK: cvt.rn.ftz.f32.f64
// CHECK: mov.b32 [[ONE:%r[0-9]+]], 0f3F800000
// CHECK: mul.rn.ftz.f32 {{.*}}, [[ONE]]
// CHECK-NOT: and.b32 {{.*}}, 2139095040
// CHECK: ret
llvm.func @flushed(%p: !llvm.ptr, %x: f32, %d: f64) attributes {hetir.kernel} {
  %a = hetir.math "add_ftz"(%x, %x) exact : (f32, f32) -> f32
  %b = hetir.math "mul_ftz"(%a, %x) exact : (f32, f32) -> f32
  %c = hetir.math "fma_ftz"(%b, %a, %x) exact : (f32, f32, f32) -> f32
  %e = hetir.math "div_ftz"(%c, %x) exact : (f32, f32) -> f32
  %f = hetir.math "maxnum_ftz"(%e, %x) exact : (f32, f32) -> f32
  %g = hetir.math "exp2_ftz"(%f) approx : (f32) -> f32
  %h = hetir.math "rcp_ftz"(%g) approx : (f32) -> f32
  llvm.store volatile %h, %p : f32, !llvm.ptr
  %i = hetir.math "float_ftz"(%d) exact : (f64) -> f32
  llvm.store volatile %i, %p : f32, !llvm.ptr
  %j = hetir.math "flush"(%x) exact : (f32) -> f32
  llvm.store volatile %j, %p : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry flushed_sine(
// CHECK: and.b32 {{.*}}, 2139095040
// CHECK: ret
llvm.func @flushed_sine(%p: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %a = hetir.math "sin_ftz"(%x) exact : (f32) -> f32
  llvm.store %a, %p : f32, !llvm.ptr
  llvm.return
}
