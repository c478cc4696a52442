// What kernels become for Vulkan.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv "--arch=vulkan1.3;denorms64" %s --kernel=computes | %{dis}=COMPUTES
// RUN: het-lower --target=spirv "--arch=vulkan1.3;exactfma" %s --kernel=computes | %{dis}=EXACT
// RUN: het-lower --target=spirv --arch=vulkan1.3 %s --kernel=divides | %{dis}=DIVIDES
// RUN: het-lower --target=spirv --arch=vulkan1.3 %s --kernel=shares | %{dis}=SHARES
// RUN: het-lower --target=spirv --arch=vulkan1.3 %s --kernel=packed | %{dis}=PACKED
// RUN: het-lower --target=spirv --arch=vulkan1.3 %s --kernel=loops | %{dis}=LOOPS
// RUN: het-lower --target=spirv "--arch=vulkan1.3;llvmpipe" %s --kernel=loops | %{dis}=EXITS
// RUN: het-lower --target=spirv --arch=vulkan1.3 %s --kernel=fences | %{dis}=FENCES
// RUN: het-lower --target=spirv "--arch=vulkan1.3;llvmpipe" %s --kernel=fences | %{dis}=UPDATES
// RUN: het-lower --target=spirv "--arch=vulkan1.3;llvmpipe" %s --kernel=adds_zero | %{dis}=ZERO
// RUN: het-lower --target=spirv "--arch=vulkan1.3;teams" %s --kernel=votes | %{dis}=VOTES
// RUN: het-lower --target=spirv "--arch=vulkan1.3;teams" %s --kernel=wide_shared | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=WIDE

// WIDE: segmented

// COMPUTES: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// COMPUTES: OpEntryPoint GLCompute %{{.*}} "het_kernel"
// COMPUTES: OpExecutionModeId %{{.*}} LocalSizeId
// COMPUTES: OpExecutionMode %{{.*}} RoundingModeRTE 32
// COMPUTES: OpExecutionMode %{{.*}} DenormPreserve 64
// COMPUTES: OpDecorate %{{.*}} NoContraction
// COMPUTES: OpConvertUToPtr %_ptr_PhysicalStorageBuffer_uint
// COMPUTES: OpLoad %uint %{{.*}} Aligned|NonPrivatePointer 4
// COMPUTES: OpFunctionCall %float
// EXACT-NOT: OpTypeFloat 64
// EXACT: OpExtInst %float %{{.*}} Fma
llvm.func @computes(%p: !llvm.ptr, %x: f32, %y: f32) attributes {hetir.kernel} {
  %v = llvm.load %p : !llvm.ptr -> f32
  %s = llvm.intr.fma(%v, %x, %y) : (f32, f32, f32) -> f32
  llvm.store %s, %p : f32, !llvm.ptr
  llvm.return
}

// Quotients of 64 bits are computed with integers.
// DIVIDES-NOT: OpFDiv
// DIVIDES: OpFunctionCall %ulong
// DIVIDES-NOT: OpFDiv
llvm.func @divides(%p: !llvm.ptr, %x: f64) attributes {hetir.kernel} {
  %v = llvm.load %p : !llvm.ptr -> f64
  %s = llvm.fdiv %v, %x : f64
  llvm.store %s, %p : f64, !llvm.ptr
  llvm.return
}

// A byte of shared memory is a part of a word that others write, too.
// SHARES: %[[WORDS:.*]] = OpSpecConstant %uint 1
// SHARES: OpTypeArray %uint %[[WORDS]]
// SHARES: OpControlBarrier %uint_2 %uint_2 %uint_24904
// SHARES: OpLoopMerge
// SHARES: OpAtomicCompareExchange %uint
llvm.mlir.global external @box() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<64 x i8>
llvm.func @shares(%p: !llvm.ptr, %x: i8, %i: i64) attributes {hetir.kernel} {
  %b = llvm.mlir.addressof @box : !llvm.ptr<3>
  %at = llvm.getelementptr %b[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
  llvm.store %x, %at : i8, !llvm.ptr<3>
  hetir.barrier
  %v = llvm.load %b : !llvm.ptr<3> -> i8
  llvm.store %v, %p : i8, !llvm.ptr
  llvm.return
}

// PACKED: OpLoad %ushort %{{.*}} Aligned|NonPrivatePointer 2
// PACKED: OpLoad %ushort %{{.*}} Aligned|NonPrivatePointer 2
// PACKED: OpStore %{{.*}} Aligned|NonPrivatePointer 4
llvm.func @packed(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %v = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> i32
  llvm.store %v, %q : i32, !llvm.ptr
  llvm.return
}

// An irreducible loop is one of one entry.
// LOOPS: OpLoopMerge %[[END:.*]] %[[NEXT:[0-9]+]] None
// LOOPS: OpSelectionMerge
// LOOPS: OpBranchConditional %{{.*}} %[[END]] %[[NEXT]]
// With a second exit that is never taken.
// EXITS: OpLoopMerge %[[END:.*]] %[[NEXT:[0-9]+]] None
// EXITS: %[[NEVER:.*]] = OpINotEqual %bool
// EXITS: OpBranchConditional %[[NEVER]] %[[END]] %
// EXITS: OpBranchConditional %{{.*}} %[[END]] %[[NEXT]]
llvm.func @loops(%p: !llvm.ptr, %x: i1, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.cond_br %x, ^a(%zero : i32), ^b(%one : i32)
^a(%i: i32):
  llvm.store volatile %i, %p : i32, !llvm.ptr
  %j = llvm.add %i, %one : i32
  llvm.br ^b(%j : i32)
^b(%k: i32):
  llvm.store volatile %n, %p : i32, !llvm.ptr
  %l = llvm.add %k, %one : i32
  %more = llvm.icmp "ult" %l, %n : i32
  llvm.cond_br %more, ^a(%l : i32), ^end
^end:
  llvm.return
}

// FENCES: OpMemoryBarrier %uint_1 %uint_24904
// UPDATES-NOT: OpMemoryBarrier
// UPDATES: OpAtomicOr %uint
llvm.func @fences(%p: !llvm.ptr) attributes {hetir.kernel} {
  %x = llvm.mlir.constant(1 : i32) : i32
  hetir.fence device
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.return
}

// The driver does not see the zero.
// ZERO: %[[PUSHED:.*]] = OpAccessChain %_ptr_PushConstant_uint %{{.*}} %uint_5
// ZERO: %[[WORD:.*]] = OpLoad %uint %[[PUSHED]]
// ZERO: %[[ZERO:.*]] = OpBitcast %float %[[WORD]]
// ZERO: OpFAdd %float %{{.*}} %[[ZERO]]
llvm.func @adds_zero(%p: !llvm.ptr, %x: f32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %s = llvm.fadd %x, %zero : f32
  llvm.store %s, %p : f32, !llvm.ptr
  llvm.return
}

// VOTES: OpGroupNonUniformBallot %v4uint %uint_3
llvm.func @votes(%p: !llvm.ptr, %x: i1) attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %b = hetir.ballot %all, %x
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.return
}

// An atomic that words of 32 bits have not: shared memory is global then.
llvm.func @wide_shared(%p: !llvm.ptr, %x: i64) attributes {hetir.kernel} {
  %b = llvm.mlir.addressof @box : !llvm.ptr<3>
  %a = llvm.atomicrmw add %b, %x syncscope("block") monotonic : !llvm.ptr<3>, i64
  llvm.store %a, %p : i64, !llvm.ptr
  llvm.return
}
