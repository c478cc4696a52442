// An artifact exports its header and its entry, and is bound to nothing of the process that
// loads it but the functions that LLVM's code calls by itself. A fused multiply-add and a
// square root are instructions.
//
// RUN: het-lower --target=host %s -o %t.so
// RUN: llvm-nm -D --undefined-only %t.so | FileCheck %s --check-prefix=IMPORTS
// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=EXPORTS
// IMPORTS: U __udivti3
// IMPORTS-NEXT: U memcpy
// IMPORTS-NOT: {{[a-z]}}
// EXPORTS: het_kernel
// EXPORTS-NEXT: het_run
// EXPORTS-NOT: {{[a-z]}}
llvm.func @kernel(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64, %x: f32, %a: i128, %b: i128) attributes {hetir.kernel} {
  %f = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  %s = llvm.intr.sqrt(%f) : (f32) -> f32
  llvm.store %s, %p : f32, !llvm.ptr<1>
  "llvm.intr.memcpy"(%p, %q, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64) -> ()
  %d = llvm.udiv %a, %b : i128
  llvm.store %d, %q : i128, !llvm.ptr<1>
  llvm.return
}
