// Constants of launches, where LLVM may approximate.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" %s --options=block=32,1,1 2>&1 \
// RUN:   | FileCheck --check-prefix=APPROXIMATE %s

// What LLVM may approximate could come out otherwise when it knows more.
// CHECK: .visible .entry approximate(
// APPROXIMATE: kernel approximate: constants: found 'fdiv' that may be approximated, expected code of one result
llvm.func @approximate(%out: !llvm.ptr, %x: f32, %y: f32) attributes {hetir.kernel} {
  %q = llvm.fdiv %x, %y {fastmathFlags = #llvm.fastmath<arcp>} : f32
  llvm.store %q, %out : f32, !llvm.ptr
  llvm.return
}
