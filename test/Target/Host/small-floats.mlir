// Fused multiply-adds of halves and bfloat16 on processors that have none: by the device
// library's code, not by libgcc's conversions.
//
// RUN: het-lower --target=host --arch=x86-64-v3 %s -o %t.so
// RUN: llvm-nm -D --undefined-only %t.so | FileCheck --allow-empty --implicit-check-not=trunc %s
// RUN: llvm-objdump -d %t.so | FileCheck --check-prefix=CODE %s

// CODE: vcvtps2ph
llvm.func @fused(%out: !llvm.ptr, %a: f16, %b: f16, %c: f16, %x: bf16, %y: bf16, %z: bf16)
    attributes {hetir.kernel} {
  %h = llvm.intr.fma(%a, %b, %c) : (f16, f16, f16) -> f16
  %f = llvm.intr.fma(%x, %y, %z) : (bf16, bf16, bf16) -> bf16
  llvm.store %h, %out : f16, !llvm.ptr
  %next = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, f16
  llvm.store %f, %next : bf16, !llvm.ptr
  llvm.return
}
