// Mathematical functions are the device library's; integers of 128 bits are two of 64.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=sines | %{dis}=SINES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=roots | %{dis}=ROOTS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=products | %{dis}=PRODUCTS

// SINES: OpExtInst %float %{{.*}} fma
// SINES-NOT: OpExtInst %float %{{.*}} sin
llvm.func @sines(%p: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %s = hetir.math "sin"(%x) exact : (f32) -> f32
  llvm.store %s, %p : f32, !llvm.ptr
  llvm.return
}

// ROOTS: OpExtInst %double %{{.*}} sqrt
llvm.func @roots(%p: !llvm.ptr, %x: f64) attributes {hetir.kernel} {
  %s = llvm.intr.sqrt(%x) : (f64) -> f64
  llvm.store %s, %p : f64, !llvm.ptr
  llvm.return
}

// PRODUCTS: OpExtInst %ulong %{{.*}} u_mul_hi
llvm.func @products(%p: !llvm.ptr, %a: i64, %b: i64) attributes {hetir.kernel} {
  %word = llvm.mlir.constant(64 : i128) : i128
  %x = llvm.zext %a : i64 to i128
  %y = llvm.zext %b : i64 to i128
  %z = llvm.mul %x, %y : i128
  %h = llvm.lshr %z, %word : i128
  %r = llvm.trunc %h : i128 to i64
  llvm.store %r, %p : i64, !llvm.ptr
  llvm.return
}
