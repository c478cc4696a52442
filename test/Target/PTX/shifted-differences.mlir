// Sums and differences of x << n and x >> (64 - n) multiply where ptxas would take them
// for rotations.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry right_minus_left(
// CHECK-DAG: shr.u64 [[RIGHT:%rd[0-9]+]], [[X:%rd[0-9]+]], 51;
// CHECK-DAG: mul.lo.s64 [[LEFT:%rd[0-9]+]], [[X]], 8192;
// CHECK: sub.s64 {{%rd[0-9]+}}, [[RIGHT]], [[LEFT]];
// CHECK: ret;
llvm.func @right_minus_left(%out: !llvm.ptr<1>, %x: i64) attributes {hetir.kernel} {
  %n = llvm.mlir.constant(13 : i64) : i64
  %rest = llvm.mlir.constant(51 : i64) : i64
  %left = llvm.shl %x, %n : i64
  %right = llvm.lshr %x, %rest : i64
  %difference = llvm.sub %right, %left : i64
  llvm.store %difference, %out : i64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry left_minus_right(
// CHECK-DAG: shr.u64 [[RIGHT:%rd[0-9]+]], [[X:%rd[0-9]+]], 32;
// CHECK-DAG: mul.lo.s64 [[LEFT:%rd[0-9]+]], [[X]], 4294967296;
// CHECK: sub.s64 {{%rd[0-9]+}}, [[LEFT]], [[RIGHT]];
// CHECK: ret;
llvm.func @left_minus_right(%out: !llvm.ptr<1>, %x: i64) attributes {hetir.kernel} {
  %n = llvm.mlir.constant(32 : i64) : i64
  %left = llvm.shl %x, %n : i64
  %right = llvm.lshr %x, %n : i64
  %difference = llvm.sub %left, %right : i64
  llvm.store %difference, %out : i64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry sum_with_sign(
// CHECK-DAG: shr.s64 [[RIGHT:%rd[0-9]+]], [[X:%rd[0-9]+]], 63;
// CHECK-DAG: mul.lo.s64 [[LEFT:%rd[0-9]+]], [[X]], 2;
// CHECK: add.s64
// CHECK: ret;
llvm.func @sum_with_sign(%out: !llvm.ptr<1>, %x: i64) attributes {hetir.kernel} {
  %n = llvm.mlir.constant(1 : i64) : i64
  %rest = llvm.mlir.constant(63 : i64) : i64
  %left = llvm.shl %x, %n : i64
  %right = llvm.ashr %x, %rest : i64
  %sum = llvm.add %left, %right : i64
  llvm.store %sum, %out : i64, !llvm.ptr<1>
  llvm.return
}

// Code generation would subtract a shifted number for the multiplication.
// CHECK-LABEL: .visible .entry negated(
// CHECK: mul.lo.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, -8;
// CHECK: ret;
llvm.func @negated(%out: !llvm.ptr<1>, %x: i64) attributes {hetir.kernel} {
  %factor = llvm.mlir.constant(-8 : i64) : i64
  %rest = llvm.mlir.constant(61 : i64) : i64
  %left = llvm.mul %x, %factor : i64
  %right = llvm.lshr %x, %rest : i64
  %sum = llvm.add %left, %right : i64
  llvm.store %sum, %out : i64, !llvm.ptr<1>
  llvm.return
}

// What is a rotation may be one, and other counts of shifts are left alone.
// CHECK-LABEL: .visible .entry others(
// CHECK-NOT: mul.lo
// CHECK: ret;
llvm.func @others(%out: !llvm.ptr<1>, %x: i64, %y: i64) attributes {hetir.kernel} {
  %n = llvm.mlir.constant(13 : i64) : i64
  %rest = llvm.mlir.constant(51 : i64) : i64
  %more = llvm.mlir.constant(52 : i64) : i64
  %left = llvm.shl %x, %n : i64
  %right = llvm.lshr %x, %rest : i64
  %rotation = llvm.add %left, %right : i64
  %less = llvm.lshr %x, %more : i64
  %difference = llvm.sub %left, %less : i64
  %another = llvm.shl %y, %n : i64
  %mixed = llvm.sub %another, %right : i64
  llvm.store %rotation, %out : i64, !llvm.ptr<1>
  %second = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %difference, %second : i64, !llvm.ptr<1>
  %third = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %mixed, %third : i64, !llvm.ptr<1>
  llvm.return
}
