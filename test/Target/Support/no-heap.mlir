// Before hetIR 0.3 packages had no heap.
//
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" %s 2>&1 | FileCheck %s
// RUN: not het-lower --target=host %s 2>&1 | FileCheck %s

// CHECK: kernels that allocate need a heap in their package, which this one does not have: it was written before hetIR 0.3; compile the program again
llvm.func @allocates(%out: !llvm.ptr, %n: i64) attributes {hetir.kernel} {
  %p = hetir.malloc %n -> !llvm.ptr
  llvm.store %p, %out : !llvm.ptr, !llvm.ptr
  llvm.return
}
