// Positions, barriers and fences of the native form. 784: sequentially consistent, of
// all memory.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=positions | %{dis}=POSITIONS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=barriers | %{dis}=BARRIERS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=fences | %{dis}=FENCES

// POSITIONS: OpEntryPoint Kernel %{{.*}} "het_kernel"
// POSITIONS: OpExecutionMode %{{.*}} ContractionOff
// POSITIONS: BuiltIn WorkgroupId
// POSITIONS: BuiltIn LocalInvocationId
llvm.func @positions(%p: !llvm.ptr) attributes {hetir.kernel} {
  %b = hetir.block_id y
  %t = hetir.thread_id z
  %s = llvm.add %b, %t : i32
  llvm.store %s, %p : i32, !llvm.ptr
  llvm.return
}

// BARRIERS: OpControlBarrier %uint_2 %uint_2 %uint_784
// BARRIERS: OpControlBarrier %uint_2 %uint_2 %uint_784
// BARRIERS: OpAtomicIAdd %uint
// BARRIERS: OpControlBarrier %uint_2 %uint_2 %uint_784
llvm.func @barriers(%p: !llvm.ptr, %x: i1) attributes {hetir.kernel} {
  hetir.barrier
  %r = hetir.barrier_reduce or %x
  llvm.store %r, %p : i32, !llvm.ptr
  llvm.return
}

// FENCES: OpMemoryBarrier %uint_2 %uint_784
// FENCES: OpMemoryBarrier %uint_1 %uint_784
// FENCES: OpMemoryBarrier %{{[0-9]+}} %uint_784
llvm.func @fences(%p: !llvm.ptr) attributes {hetir.kernel} {
  %x = llvm.mlir.constant(1 : i32) : i32
  hetir.fence block
  llvm.store volatile %x, %p : i32, !llvm.ptr
  hetir.fence device
  llvm.store volatile %x, %p : i32, !llvm.ptr
  hetir.fence system
  llvm.return
}
