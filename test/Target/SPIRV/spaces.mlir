// Which memory a pointer leads to, where that shows only when the kernel runs.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=asks | %{dis}=ASKS
// RUN: het-lower --target=spirv "--arch=spirv1.3;segmented" %s --kernel=asks | %{dis}=FRAME

// Local memory is told by comparisons with the objects that there are: here two of the
// kernel, into which the function that asks is inlined for that. In a segmented kernel
// they are in the block's frame.
// ASKS: OpEntryPoint
// ASKS-COUNT-2: OpULessThan %bool %{{.*}} %ulong_24
// ASKS: OpFunctionEnd
// FRAME: OpULessThan
llvm.func @ask(%p: !llvm.ptr) -> i1 attributes {passthrough = ["noinline"]} {
  %is = hetir.is_space local %p : !llvm.ptr
  llvm.return %is : i1
}
llvm.func @asks(%p: !llvm.ptr, %n: i64) attributes {hetir.kernel} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %a = llvm.alloca %two x !llvm.array<3 x i32> : (i32) -> !llvm.ptr
  %b = llvm.alloca %two x !llvm.array<3 x i32> : (i32) -> !llvm.ptr
  llvm.store volatile %a, %b : !llvm.ptr, !llvm.ptr
  llvm.store volatile %b, %a : !llvm.ptr, !llvm.ptr
  %q = llvm.load volatile %p : !llvm.ptr -> !llvm.ptr
  %is = llvm.call @ask(%q) : (!llvm.ptr) -> i1
  llvm.store %is, %p : i1, !llvm.ptr
  llvm.return
}
