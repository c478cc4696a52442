// RUN: het-opt %s --hetir-fuse-multiply-add | FileCheck %s

// CHECK-LABEL: llvm.func @sum(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
llvm.func @sum(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: %[[R:.*]] = llvm.intr.fma(%[[A]], %[[B]], %[[C]])
  // CHECK-NEXT: llvm.return %[[R]]
  %0 = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  %1 = llvm.fadd %0, %c {fastmathFlags = #llvm.fastmath<contract>} : f32
  llvm.return %1 : f32
}

// CHECK-LABEL: llvm.func @sum_right(
// CHECK-SAME: %[[A:.*]]: f16, %[[B:.*]]: f16, %[[C:.*]]: f16)
llvm.func @sum_right(%a: f16, %b: f16, %c: f16) -> f16 {
  // CHECK-NEXT: llvm.intr.fma(%[[A]], %[[B]], %[[C]])
  %0 = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f16
  %1 = llvm.fadd %c, %0 {fastmathFlags = #llvm.fastmath<contract>} : f16
  llvm.return %1 : f16
}

// CHECK-LABEL: llvm.func @difference(
// CHECK-SAME: %[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64)
llvm.func @difference(%a: f64, %b: f64, %c: f64) -> f64 {
  // CHECK-NEXT: %[[N:.*]] = llvm.fneg %[[C]]
  // CHECK-NEXT: llvm.intr.fma(%[[A]], %[[B]], %[[N]])
  %0 = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f64
  %1 = llvm.fsub %0, %c {fastmathFlags = #llvm.fastmath<contract>} : f64
  llvm.return %1 : f64
}

// CHECK-LABEL: llvm.func @difference_right(
// CHECK-SAME: %[[A:.*]]: vector<4xf32>, %[[B:.*]]: vector<4xf32>, %[[C:.*]]: vector<4xf32>)
llvm.func @difference_right(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  // CHECK-NEXT: %[[N:.*]] = llvm.fneg %[[A]]
  // CHECK-NEXT: llvm.intr.fma(%[[N]], %[[B]], %[[C]])
  %0 = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : vector<4xf32>
  %1 = llvm.fsub %c, %0 {fastmathFlags = #llvm.fastmath<contract>} : vector<4xf32>
  llvm.return %1 : vector<4xf32>
}

// A product with several uses goes into each addition that may take it, and stays
// for the rest.
// CHECK-LABEL: llvm.func @several(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32,
llvm.func @several(%a: f32, %b: f32, %c: f32, %p: !llvm.ptr) -> f32 {
  // CHECK-NEXT: %[[P:.*]] = llvm.fmul %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[R:.*]] = llvm.intr.fma(%[[A]], %[[B]], %[[C]])
  // CHECK-NEXT: llvm.store %[[P]]
  %0 = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  %1 = llvm.fadd %0, %c {fastmathFlags = #llvm.fastmath<contract>} : f32
  llvm.store %0, %p : f32, !llvm.ptr
  llvm.return %1 : f32
}

// Of two products the first is fused.
// CHECK-LABEL: llvm.func @two(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32)
llvm.func @two(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
  // CHECK-NEXT: %[[Q:.*]] = llvm.fmul %[[C]], %[[D]] : f32
  // CHECK-NEXT: llvm.intr.fma(%[[A]], %[[B]], %[[Q]])
  %0 = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  %1 = llvm.fmul %c, %d {fastmathFlags = #llvm.fastmath<contract>} : f32
  %2 = llvm.fadd %0, %1 {fastmathFlags = #llvm.fastmath<contract>} : f32
  llvm.return %2 : f32
}

// Both must allow it.
// CHECK-LABEL: llvm.func @forbidden
llvm.func @forbidden(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: llvm.fmul %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: llvm.fadd %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: llvm.fmul %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: llvm.fsub %{{.*}}, %{{.*}} : f32
  %0 = llvm.fmul %a, %b : f32
  %1 = llvm.fadd %0, %c {fastmathFlags = #llvm.fastmath<contract>} : f32
  %2 = llvm.fmul %1, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  %3 = llvm.fsub %2, %c : f32
  llvm.return %3 : f32
}

// `fmuladd` always is one operation; other flags stay.
// CHECK-LABEL: llvm.func @always
llvm.func @always(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: llvm.intr.fma(
  // CHECK-NEXT: llvm.fdiv {{.*}} {fastmathFlags = #llvm.fastmath<nnan>}
  %0 = llvm.intr.fmuladd(%a, %b, %c) : (f32, f32, f32) -> f32
  %1 = llvm.fdiv %0, %c {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  llvm.return %1 : f32
}
