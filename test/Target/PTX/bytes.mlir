// Functions on the bytes of words stay within the word, and take the instructions that
// spread signs and sum distances.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry greater(
// CHECK-NOT: setp
// CHECK: prmt.b32 {{%r[0-9]+}}, {{.*}}, 0xba98;
// CHECK-NOT: setp
// CHECK: ret;
llvm.func @greater(%out: !llvm.ptr, %a: i32, %b: i32) attributes {hetir.kernel} {
  %r = hetir.math "vcmpgts4"(%a, %b) exact : (i32, i32) -> i32
  llvm.store %r, %out : i32, !llvm.ptr
  llvm.return
}

// A difference: four operations, whose places in logic ptxas shares.
// CHECK-LABEL: .visible .entry difference(
// CHECK-NOT: shr
// CHECK: sub.s32
// CHECK-NOT: shr
// CHECK: ret;
llvm.func @difference(%out: !llvm.ptr, %a: i32, %b: i32) attributes {hetir.kernel} {
  %r = hetir.math "vsub4"(%a, %b) exact : (i32, i32) -> i32
  llvm.store %r, %out : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry distances(
// CHECK-DAG: vabsdiff4.u32.u32.u32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK-DAG: vabsdiff4.u32.u32.u32.add
// CHECK: ret;
llvm.func @distances(%out: !llvm.ptr, %a: i32, %b: i32) attributes {hetir.kernel} {
  %r = hetir.math "vabsdiffs4"(%a, %b) exact : (i32, i32) -> i32
  %s = hetir.math "vsadu4"(%r, %b) exact : (i32, i32) -> i32
  llvm.store %s, %out : i32, !llvm.ptr
  llvm.return
}
