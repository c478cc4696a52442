// Atomic operations of 128 bits, where the GPU and the driver have them.
// FLAGS: -arch=sm_90
//
// DEFINE: %{old} = not het-lower --target=ptx %s -o %t
// RUN: het-lower --target=ptx "--arch=sm_90;ptx83" %s | FileCheck %s
// RUN: %{old} "--arch=sm_80;ptx85" 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: %{old} "--arch=sm_90;ptx82" 2>&1 | FileCheck %s --check-prefix=DRIVER

// CHECK: atom{{.*}}cas{{.*}}b128
// GPU: an atomic operation of 128 bits: found sm_80 with PTX 8.5, expected sm_90 or later with PTX 8.3 or later
// DRIVER: an atomic operation of 128 bits: found sm_90 with PTX 8.2, expected sm_90
llvm.func @exchange(%p: !llvm.ptr<1>, %a: i128, %b: i128) attributes {hetir.kernel} {
  %pair = llvm.cmpxchg %p, %a, %b monotonic monotonic {alignment = 16 : i64} : !llvm.ptr<1>, i128
  %old = llvm.extractvalue %pair[0] : !llvm.struct<(i128, i1)>
  llvm.store %old, %p : i128, !llvm.ptr<1>
  llvm.return
}
