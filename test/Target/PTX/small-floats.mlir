// Half precision and bfloat16, as their bits: instructions where the machine has them,
// the device library's integer code elsewhere.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_75;ptx88" %s | FileCheck --check-prefix=OLD %s

// CHECK-LABEL: .visible .entry encode(
// CHECK: cvt.rn.bf16.f32
// OLD-LABEL: .visible .entry encode(
// OLD-NOT: cvt.rn.bf16
// OLD: ret;
llvm.func @encode(%out: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %b = hetir.math "bfloat_from_float_rn"(%x) exact : (f32) -> i16
  llvm.store %b, %out : i16, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry fused(
// CHECK-DAG: fma.rn.f16
// CHECK-DAG: fma.rn.bf16
// CHECK: ret;
// OLD-LABEL: .visible .entry fused(
// OLD-DAG: fma.rn.f16
// OLD-NOT: fma.rn.bf16
// OLD: ret;
llvm.func @fused(%out: !llvm.ptr, %a: i16, %b: i16, %c: i16) attributes {hetir.kernel} {
  %h = hetir.math "fma_half_rn"(%a, %b, %c) exact : (i16, i16, i16) -> i16
  %f = hetir.math "fma_bfloat_rn"(%a, %b, %c) exact : (i16, i16, i16) -> i16
  %s = llvm.add %h, %f : i16
  llvm.store %s, %out : i16, !llvm.ptr
  llvm.return
}
