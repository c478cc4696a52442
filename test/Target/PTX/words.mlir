// Operations on the parts of words: instructions where the machine has them, the device
// library's shifts and multiplications elsewhere.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_60;ptx88" %s | FileCheck --check-prefix=OLD %s

// CHECK-LABEL: .visible .entry dot4(
// CHECK-DAG: dp4a.s32.s32
// CHECK-DAG: dp4a.s32.u32
// CHECK-DAG: dp4a.u32.s32
// CHECK-DAG: dp4a.u32.u32
// CHECK: ret;
// OLD-LABEL: .visible .entry dot4(
// OLD-NOT: dp4a
// OLD: ret;
llvm.func @dot4(%out: !llvm.ptr, %a: i32, %b: i32, %c: i32) attributes {hetir.kernel} {
  %0 = hetir.math "dot4_ss"(%a, %b, %c) exact : (i32, i32, i32) -> i32
  %1 = hetir.math "dot4_su"(%a, %b, %0) exact : (i32, i32, i32) -> i32
  %2 = hetir.math "dot4_us"(%a, %b, %1) exact : (i32, i32, i32) -> i32
  %3 = hetir.math "dot4_uu"(%a, %b, %2) exact : (i32, i32, i32) -> i32
  llvm.store %3, %out : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry dot2(
// CHECK-DAG: dp2a.lo.s32.s32
// CHECK-DAG: dp2a.hi.s32.u32
// CHECK-DAG: dp2a.lo.u32.s32
// CHECK-DAG: dp2a.hi.u32.u32
// CHECK: ret;
// OLD-LABEL: .visible .entry dot2(
// OLD-NOT: dp2a
// OLD: ret;
llvm.func @dot2(%out: !llvm.ptr, %a: i32, %b: i32, %c: i32) attributes {hetir.kernel} {
  %0 = hetir.math "dot2_lo_ss"(%a, %b, %c) exact : (i32, i32, i32) -> i32
  %1 = hetir.math "dot2_hi_su"(%a, %b, %0) exact : (i32, i32, i32) -> i32
  %2 = hetir.math "dot2_lo_us"(%a, %b, %1) exact : (i32, i32, i32) -> i32
  %3 = hetir.math "dot2_hi_uu"(%a, %b, %2) exact : (i32, i32, i32) -> i32
  llvm.store %3, %out : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry permute(
// CHECK: prmt.b32
// CHECK: ret;
// OLD-LABEL: .visible .entry permute(
// OLD: prmt.b32
// OLD: ret;
llvm.func @permute(%out: !llvm.ptr, %a: i32, %b: i32, %c: i32) attributes {hetir.kernel} {
  %0 = hetir.math "permute_bytes"(%a, %b, %c) exact : (i32, i32, i32) -> i32
  llvm.store %0, %out : i32, !llvm.ptr
  llvm.return
}
