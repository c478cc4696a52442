// A shift with a test of its amount is one instruction where PTX's shift says the same.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry left(
// CHECK-NOT: setp
// CHECK: shl.b32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK-NOT: selp
// CHECK: ret;
llvm.func @left(%out: !llvm.ptr<1>, %x: i32, %n: i32) attributes {hetir.kernel} {
  %width = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %below = llvm.icmp "ult" %n, %width : i32
  %shifted = llvm.shl %x, %n : i32
  %result = llvm.select %below, %shifted, %zero : i1, i32
  llvm.store %result, %out : i32, !llvm.ptr<1>
  llvm.return
}

// ~0 >> (64 - n)
// CHECK-LABEL: .visible .entry rest(
// CHECK-NOT: setp
// CHECK: shr.u64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, {{%r[0-9]+}};
// CHECK-NOT: selp
// CHECK: ret;
llvm.func @rest(%out: !llvm.ptr<1>, %n: i32) attributes {hetir.kernel} {
  %width = llvm.mlir.constant(64 : i32) : i32
  %ones = llvm.mlir.constant(-1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %rest = llvm.sub %width, %n : i32
  %below = llvm.icmp "ult" %rest, %width : i32
  %amount = llvm.zext %rest : i32 to i64
  %shifted = llvm.lshr %ones, %amount : i64
  %result = llvm.select %below, %shifted, %zero : i1, i64
  llvm.store %result, %out : i64, !llvm.ptr<1>
  llvm.return
}

// The amount's low 32 bits count.
// CHECK-LABEL: .visible .entry long_amount(
// CHECK-NOT: setp
// CHECK: shl.b64
// CHECK-NOT: selp
// CHECK: ret;
llvm.func @long_amount(%out: !llvm.ptr<1>, %x: i64, %n: i64) attributes {hetir.kernel} {
  %width = llvm.mlir.constant(64 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %word = llvm.trunc %n : i64 to i32
  %below = llvm.icmp "ult" %word, %width : i32
  %amount = llvm.zext %word : i32 to i64
  %shifted = llvm.shl %x, %amount : i64
  %result = llvm.select %below, %shifted, %zero : i1, i64
  llvm.store %result, %out : i64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry sign(
// CHECK-NOT: min
// CHECK: shr.s32
// CHECK-NOT: min
// CHECK: ret;
llvm.func @sign(%out: !llvm.ptr<1>, %x: i32, %n: i32) attributes {hetir.kernel} {
  %most = llvm.mlir.constant(31 : i32) : i32
  %amount = llvm.intr.umin(%n, %most) : (i32, i32) -> i32
  %result = llvm.ashr %x, %amount : i32
  llvm.store %result, %out : i32, !llvm.ptr<1>
  llvm.return
}

// (1 << n) - 1
// CHECK-LABEL: .visible .entry mask(
// CHECK-NOT: setp
// CHECK: shl.b32
// CHECK-NOT: selp
// CHECK: ret;
llvm.func @mask(%out: !llvm.ptr<1>, %n: i32) attributes {hetir.kernel} {
  %width = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %below = llvm.icmp "ult" %n, %width : i32
  %shifted = llvm.shl %one, %n : i32
  %bit = llvm.select %below, %shifted, %zero : i1, i32
  %result = llvm.sub %bit, %one : i32
  llvm.store %result, %out : i32, !llvm.ptr<1>
  llvm.return
}

// An amount that is the same for a whole loop.
// CHECK-LABEL: .visible .entry loop(
// CHECK-NOT: selp
// CHECK: shr.u32
// CHECK-NOT: selp
// CHECK: ret;
llvm.func @loop(%out: !llvm.ptr<1>, %count: i32, %n: i32) attributes {hetir.kernel} {
  %width = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^body(%zero : i32)
^body(%i: i32):
  %place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %x = llvm.load %place : !llvm.ptr<1> -> i32
  %below = llvm.icmp "ult" %n, %width : i32
  %shifted = llvm.lshr %x, %n : i32
  %result = llvm.select %below, %shifted, %zero : i1, i32
  llvm.store %result, %place : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "ult" %next, %count : i32
  llvm.cond_br %more, ^body(%next : i32), ^end
^end:
  llvm.return
}

// Other tests are a program's own: of fewer bits, and with another result beyond.
// CHECK-LABEL: .visible .entry own(
// CHECK: selp
// CHECK: selp
// CHECK: ret;
llvm.func @own(%out: !llvm.ptr<1>, %x: i32, %n: i32) attributes {hetir.kernel} {
  %width = llvm.mlir.constant(32 : i32) : i32
  %half = llvm.mlir.constant(16 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %shifted = llvm.shl %x, %n : i32
  %few = llvm.icmp "ult" %n, %half : i32
  %first = llvm.select %few, %shifted, %zero : i1, i32
  %below = llvm.icmp "ult" %n, %width : i32
  %second = llvm.select %below, %shifted, %five : i1, i32
  llvm.store %first, %out : i32, !llvm.ptr<1>
  %place = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %second, %place : i32, !llvm.ptr<1>
  llvm.return
}

// So is one of a shift that brings in the sign, for which 0 comes out beyond.
// CHECK-LABEL: .visible .entry signed(
// CHECK: selp
// CHECK: ret;
llvm.func @signed(%out: !llvm.ptr<1>, %x: i32, %n: i32) attributes {hetir.kernel} {
  %last = llvm.mlir.constant(31 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %amount = llvm.intr.umin(%n, %last) : (i32, i32) -> i32
  %shifted = llvm.ashr %x, %amount : i32
  %above = llvm.icmp "ugt" %n, %last : i32
  %result = llvm.select %above, %zero, %shifted : i1, i32
  llvm.store %result, %out : i32, !llvm.ptr<1>
  llvm.return
}
