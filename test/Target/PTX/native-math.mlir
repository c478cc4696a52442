// --het-math=native: what the special-function unit gives within CUDA's documented
// errors; all else is the device library's, as without it, and on other targets all is.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: sed -e 's/attributes {hetir.native_math}//' %s \
// RUN:   | het-lower --target=ptx "--arch=sm_90;ptx88" - \
// RUN:   | FileCheck --check-prefix=PORTABLE %s

// Without it the one approximation is that of `rsqrt`, which is made exact.
// PORTABLE-NOT: {{[[:space:]](ex2|lg2|tanh|sin|cos|rcp|sqrt|rsqrt)}}.approx
// PORTABLE: .visible .entry roots(
// PORTABLE: {{[[:space:]]}}rsqrt.approx.f32
// PORTABLE-COUNT-2: fma.rn.f32
// PORTABLE: selp.f32
// PORTABLE-NOT: .approx

module attributes {hetir.native_math} {

// CHECK-LABEL: .visible .entry exponentials(
// CHECK: ex2.approx.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: ret;
llvm.func @exponentials(%out: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %a = hetir.math "exp2"(%x) exact : (f32) -> f32
  %b = hetir.math "exp"(%a) exact : (f32) -> f32
  %c = hetir.math "exp10"(%b) exact : (f32) -> f32
  llvm.store %c, %out : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry roots(
// CHECK: rsqrt.approx.f32
// CHECK: lg2.approx.ftz.f32
// CHECK: ex2.approx.ftz.f32
// CHECK: rsqrt.approx.ftz.f64
// CHECK: ret;
llvm.func @roots(%out: !llvm.ptr, %x: f32, %y: f64) attributes {hetir.kernel} {
  %a = hetir.math "rsqrt"(%x) exact : (f32) -> f32
  %b = hetir.math "cbrt"(%a) exact : (f32) -> f32
  %c = hetir.math "rsqrt"(%y) exact : (f64) -> f64
  %d = llvm.fpext %b : f32 to f64
  %e = llvm.fadd %c, %d : f64
  llvm.store %e, %out : f64, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry hyperbolic(
// CHECK-NOT: tanh.approx
// CHECK: ex2.approx.ftz.f32
// CHECK: rcp.approx.ftz.f32
// CHECK: ret;
llvm.func @hyperbolic(%out: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %a = hetir.math "tanh"(%x) exact : (f32) -> f32
  llvm.store %a, %out : f32, !llvm.ptr
  llvm.return
}

// Their approximations are too far off, so these stay the library's.
// CHECK-LABEL: .visible .entry library(
// CHECK-NOT: approx
// CHECK: ret;
llvm.func @library(%out: !llvm.ptr, %x: f32, %y: f64) attributes {hetir.kernel} {
  %a = hetir.math "log2"(%x) exact : (f32) -> f32
  %b = hetir.math "sin"(%a) exact : (f32) -> f32
  %c = hetir.math "exp"(%y) exact : (f64) -> f64
  %d = llvm.fpext %b : f32 to f64
  %e = llvm.fadd %c, %d : f64
  llvm.store %e, %out : f64, !llvm.ptr
  llvm.return
}

}
