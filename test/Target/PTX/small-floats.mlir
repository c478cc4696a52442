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

// Conversions round once, in their direction.
// CHECK-LABEL: .visible .entry convert(
// CHECK-DAG: cvt.rz.f16.s32
// CHECK-DAG: cvt.rp.f16.f32
// CHECK-DAG: cvt.rn.f16.f64
// CHECK-DAG: cvt.rm.bf16.u64
// CHECK: ret;
// OLD-LABEL: .visible .entry convert(
// OLD-DAG: cvt.rz.f16.s32
// OLD-NOT: cvt.rm.bf16
// OLD: ret;
llvm.func @convert(%out: !llvm.ptr, %i: i32, %u: i64, %x: f32, %d: f64) attributes {hetir.kernel} {
  %0 = hetir.math "half_from_int_rz"(%i) exact : (i32) -> i16
  %1 = hetir.math "half_from_float_ru"(%x) exact : (f32) -> i16
  %2 = hetir.math "half_from_double_rn"(%d) exact : (f64) -> i16
  %3 = hetir.math "bfloat_from_ull_rd"(%u) exact : (i64) -> i16
  %4 = llvm.add %0, %1 : i16
  %5 = llvm.add %2, %3 : i16
  %6 = llvm.add %4, %5 : i16
  llvm.store %6, %out : i16, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry ordered(
// CHECK-DAG: max.f16
// CHECK-DAG: min.NaN.bf16
// CHECK: ret;
// OLD-LABEL: .visible .entry ordered(
// OLD-NOT: max.f16
// OLD: ret;
llvm.func @ordered(%out: !llvm.ptr, %a: i16, %b: i16) attributes {hetir.kernel} {
  %0 = hetir.math "max_half"(%a, %b) exact : (i16, i16) -> i16
  %1 = hetir.math "min_nan_bfloat"(%a, %b) exact : (i16, i16) -> i16
  %2 = llvm.add %0, %1 : i16
  llvm.store %2, %out : i16, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry eight_bits(
// CHECK: cvt.rn.satfinite.e4m3x2.f32 [[CODES:%rs[0-9]+]],
// CHECK: cvt.rn.f16x2.e4m3x2 {{%r[0-9]+}}, [[CODES]];
// OLD-LABEL: .visible .entry eight_bits(
// OLD-NOT: e4m3x2.f32
// OLD: ret;
llvm.func @eight_bits(%out: !llvm.ptr, %x: f32, %y: f32) attributes {hetir.kernel} {
  %0 = hetir.math "e4m3x2_from_floats_rn"(%x, %y) exact : (f32, f32) -> i16
  %1 = hetir.math "half2_from_e4m3x2"(%0) exact : (i16) -> i32
  llvm.store %1, %out : i32, !llvm.ptr
  llvm.return
}
