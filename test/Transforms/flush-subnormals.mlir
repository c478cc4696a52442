// RUN: het-opt --hetir-flush-subnormals %s | FileCheck %s
// Float arithmetic becomes functions that flush; comparisons and conversions to double get
// operands that are flushed. Not copies, negations, double, halves as bits.

// CHECK-LABEL: llvm.func @arithmetic(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32
llvm.func @arithmetic(%a: f32, %b: f32, %d: f64, %p: !llvm.ptr) {
  // CHECK: %[[SUM:.*]] = hetir.math "add_ftz"(%[[A]], %[[B]]) exact : (f32, f32) -> f32
  %sum = llvm.fadd %a, %b : f32
  // CHECK: %[[FMA:.*]] = hetir.math "fma_ftz"(%[[SUM]], %[[SUM]], %[[A]]) exact
  %fma = llvm.intr.fma(%sum, %sum, %a) : (f32, f32, f32) -> f32
  // CHECK: %[[SINE:.*]] = hetir.math "sin_ftz"(%[[FMA]]) approx : (f32) -> f32
  %sine = hetir.math "sin"(%fma) approx : (f32) -> f32
  // CHECK: hetir.math "float_ftz"(%{{.*}}) exact : (f64) -> f32
  %narrowed = llvm.fptrunc %d : f64 to f32
  // CHECK: hetir.math "maxnum_ftz"
  %most = llvm.intr.maxnum(%sine, %narrowed) : (f32, f32) -> f32
  // CHECK: hetir.math "minimumnum_ftz"
  %least = llvm.call_intrinsic "llvm.minimumnum.f32"(%most, %a) : (f32, f32) -> f32
  // CHECK: llvm.store
  llvm.store %least, %p : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @operands(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32
llvm.func @operands(%a: f32, %b: f32, %h: f16, %i: i32, %p: !llvm.ptr) {
  // CHECK: %[[FLUSHED:.*]] = hetir.math "flush"(%[[A]]) exact : (f32) -> f32
  // CHECK: llvm.fpext %[[FLUSHED]] : f32 to f64
  %wide = llvm.fpext %a : f32 to f64
  llvm.store %wide, %p : f64, !llvm.ptr
  // What a half or an integer gives, and what is flushed, is no subnormal number.
  // CHECK: %[[HALF:.*]] = llvm.fpext %{{.*}} : f16 to f32
  %half = llvm.fpext %h : f16 to f32
  // CHECK: %[[WHOLE:.*]] = llvm.sitofp
  %whole = llvm.sitofp %i : i32 to f32
  // CHECK: llvm.fcmp "olt" %[[HALF]], %[[WHOLE]]
  %less = llvm.fcmp "olt" %half, %whole : f32
  // CHECK: llvm.select
  %chosen = llvm.select %less, %half, %whole : i1, f32
  // CHECK: llvm.fptrunc %{{.*}} : f32 to f16
  %narrow = llvm.fptrunc %b : f32 to f16
  llvm.store %narrow, %p : f16, !llvm.ptr
  // CHECK: %[[OTHER:.*]] = hetir.math "flush"(%[[B]])
  // CHECK: llvm.fcmp "olt" %{{.*}}, %[[OTHER]]
  %more = llvm.fcmp "olt" %chosen, %b : f32
  llvm.store %more, %p : i1, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @untouched(
// CHECK-NOT: _ftz
// CHECK-NOT: "flush"
llvm.func @untouched(%a: f32, %d: f64, %bits: i16, %p: !llvm.ptr) {
  %negated = llvm.fneg %a : f32
  llvm.store %negated, %p : f32, !llvm.ptr
  %twice = llvm.fadd %d, %d : f64
  llvm.store %twice, %p : f64, !llvm.ptr
  %small = hetir.math "bfloat_from_float_rn"(%a) exact : (f32) -> i16
  llvm.store %small, %p : i16, !llvm.ptr
  // CHECK: llvm.return
  llvm.return
}

// CHECK-LABEL: llvm.func @vectors(
llvm.func @vectors(%a: vector<2xf32>, %p: !llvm.ptr) {
  // CHECK-COUNT-2: hetir.math "mul_ftz"(%{{.*}}, %{{.*}}) exact : (f32, f32) -> f32
  %square = llvm.fmul %a, %a : vector<2xf32>
  llvm.store %square, %p : vector<2xf32>, !llvm.ptr
  llvm.return
}
