// RUN: het-opt --hetir-flush-subnormals %s | FileCheck %s
// Operands and results of float arithmetic; not copies, negations, double or what is
// flushed already.

// CHECK-LABEL: llvm.func @arithmetic(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32
llvm.func @arithmetic(%a: f32, %b: f32, %p: !llvm.ptr) {
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[A]] : f32 to i32
  // CHECK: %[[EXPONENT:.*]] = llvm.and %[[BITS]]
  // CHECK: %[[SMALL:.*]] = llvm.icmp "eq" %[[EXPONENT]]
  // CHECK: %[[SIGN:.*]] = llvm.and %[[BITS]]
  // CHECK: %[[CHOSEN:.*]] = llvm.select %[[SMALL]], %[[SIGN]], %[[BITS]]
  // CHECK: %[[FLUSHED:.*]] = llvm.bitcast %[[CHOSEN]] : i32 to f32
  // CHECK: %[[SUM:.*]] = llvm.fadd %[[FLUSHED]], %{{.*}} : f32
  // CHECK: llvm.bitcast %[[SUM]] : f32 to i32
  // CHECK: %[[RESULT:.*]] = llvm.bitcast %{{.*}} : i32 to f32
  %sum = llvm.fadd %a, %b : f32
  // CHECK: llvm.fmul %[[RESULT]], %[[RESULT]] : f32
  %square = llvm.fmul %sum, %sum : f32
  llvm.store %square, %p : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @copies(
// CHECK-NOT: llvm.bitcast
llvm.func @copies(%a: f32, %d: f64, %p: !llvm.ptr) {
  %negated = llvm.fneg %a : f32
  llvm.store %negated, %p : f32, !llvm.ptr
  %twice = llvm.fadd %d, %d : f64
  llvm.store %twice, %p : f64, !llvm.ptr
  // CHECK: llvm.return
  llvm.return
}
