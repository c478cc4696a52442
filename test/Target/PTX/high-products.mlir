// Upper halves of products that go on as 64-bit numbers do not come from mul.hi, which
// ptxas merges wrongly with a subtraction. Those of 32 bits do.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry unsigned_half(
// CHECK-NOT: mul.hi
// CHECK: mul.wide.u32 [[PRODUCT:%rd[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK: mov.b64 [[COPY:%rd[0-9]+]], [[PRODUCT]];
// CHECK: shr.u64 [[HALF:%rd[0-9]+]], [[COPY]], 32;
// CHECK: sub.s64 {{%rd[0-9]+}}, [[HALF]], {{%rd[0-9]+}};
// CHECK: ret;
llvm.func @unsigned_half(%out: !llvm.ptr<1>, %a: i32, %b: i32, %c: i64) attributes {hetir.kernel} {
  %half = llvm.mlir.constant(32 : i64) : i64
  %x = llvm.zext %a : i32 to i64
  %y = llvm.zext %b : i32 to i64
  %product = llvm.mul %x, %y : i64
  %high = llvm.lshr %product, %half : i64
  %difference = llvm.sub %high, %c : i64
  llvm.store %difference, %out : i64, !llvm.ptr<1>
  llvm.return
}

// The half as a word first, as __mulhi gives it.
// CHECK-LABEL: .visible .entry signed_half(
// CHECK-NOT: mul.hi
// CHECK: mul.wide.s32
// CHECK: shr.u64 [[HALF:%rd[0-9]+]], {{%rd[0-9]+}}, 32;
// CHECK: sub.s64 {{%rd[0-9]+}}, [[HALF]], {{%rd[0-9]+}};
// CHECK: ret;
llvm.func @signed_half(%out: !llvm.ptr<1>, %a: i32, %b: i32, %c: i64) attributes {hetir.kernel} {
  %half = llvm.mlir.constant(32 : i64) : i64
  %x = llvm.sext %a : i32 to i64
  %y = llvm.sext %b : i32 to i64
  %product = llvm.mul %x, %y : i64
  %high = llvm.lshr %product, %half : i64
  %word = llvm.trunc %high : i64 to i32
  %wide = llvm.zext %word : i32 to i64
  %difference = llvm.sub %wide, %c : i64
  llvm.store %difference, %out : i64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry word(
// CHECK: mul.hi.u32
// CHECK-NOT: mul.wide
// CHECK: ret;
llvm.func @word(%out: !llvm.ptr<1>, %a: i32, %b: i32, %c: i32) attributes {hetir.kernel} {
  %half = llvm.mlir.constant(32 : i64) : i64
  %x = llvm.zext %a : i32 to i64
  %y = llvm.zext %b : i32 to i64
  %product = llvm.mul %x, %y : i64
  %high = llvm.lshr %product, %half : i64
  %word = llvm.trunc %high : i64 to i32
  %difference = llvm.sub %word, %c : i32
  llvm.store %difference, %out : i32, !llvm.ptr<1>
  llvm.return
}
