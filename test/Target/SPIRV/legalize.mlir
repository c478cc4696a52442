// What LLVM IR has and SPIR-V, or a consumer of it, has not.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=multiplies | %{dis}=MULTIPLIES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=narrow | %{dis}=NARROW
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=wide | %{dis}=WIDE
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=lowest | %{dis}=LOWEST

// MULTIPLIES-NOT: OpUMulExtended
// MULTIPLIES: OpUDiv %ulong
llvm.func @multiplies(%p: !llvm.ptr, %q: !llvm.ptr, %a: i64, %b: i64) attributes {hetir.kernel} {
  %r = "llvm.intr.umul.with.overflow"(%a, %b) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %o = llvm.extractvalue %r[1] : !llvm.struct<(i64, i1)>
  %w = llvm.zext %o : i1 to i32
  llvm.store %w, %p : i32, !llvm.ptr
  llvm.return
}

// A number of 24 bits takes three bytes.
// NARROW: OpLoad %ushort
// NARROW: OpLoad %uchar
llvm.func @narrow(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %v = llvm.load %p : !llvm.ptr -> i24
  %w = llvm.zext %v : i24 to i32
  llvm.store %w, %q : i32, !llvm.ptr
  llvm.return
}

// WIDE-NOT: OpTypeInt 128
// WIDE: OpLoad %ulong
// WIDE: OpLoad %ulong
llvm.func @wide(%p: !llvm.ptr, %q: !llvm.ptr, %i: i64) attributes {hetir.kernel} {
  %e = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i128
  %v = llvm.load %e : !llvm.ptr -> i128
  %s = llvm.mlir.constant(3 : i128) : i128
  %r = llvm.intr.fshl(%v, %v, %s) : (i128, i128, i128) -> i128
  %a = "llvm.intr.abs"(%r) <{is_int_min_poison = false}> : (i128) -> i128
  llvm.store %a, %q : i128, !llvm.ptr
  llvm.return
}

// LOWEST: OpBitwiseAnd %ulong
// LOWEST: OpINotEqual %bool
llvm.func @lowest(%p: !llvm.ptr, %x: i64) attributes {hetir.kernel} {
  %b = llvm.trunc %x : i64 to i1
  %one = llvm.mlir.constant(7 : i32) : i32
  %two = llvm.mlir.constant(9 : i32) : i32
  %v = llvm.select %b, %one, %two : i1, i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}
