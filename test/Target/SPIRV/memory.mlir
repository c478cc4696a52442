// Atomics by width, shared memory, package variables.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=atomics | %{dis}=ATOMICS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=shares | %{dis}=SHARES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=variables | %{dis}=VARIABLES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=wide | %{dis}=WIDE

// A generic pointer leads to global memory where there is no other; floats and halves
// go by compare-and-swap.
// ATOMICS: OpAtomicIAdd %uint
// ATOMICS: OpAtomicCompareExchange %uint
// ATOMICS: OpAtomicCompareExchange %uint
llvm.func @atomics(%p: !llvm.ptr, %f: !llvm.ptr, %h: !llvm.ptr, %x: i32, %y: f32, %z: f16) attributes {hetir.kernel} {
  %a = llvm.atomicrmw add %p, %x syncscope("device") monotonic : !llvm.ptr, i32
  %b = llvm.atomicrmw fadd %f, %y syncscope("device") monotonic : !llvm.ptr, f32
  %c = llvm.atomicrmw fadd %h, %z syncscope("device") monotonic : !llvm.ptr, f16
  llvm.return
}

// SHARES: OpAtomicIAdd %uint
// SHARES: OpControlBarrier
// SHARES: OpLoad %uint
llvm.mlir.global external @box() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<8 x i32>
llvm.func @shares(%p: !llvm.ptr, %x: i32) attributes {hetir.kernel} {
  %b = llvm.mlir.addressof @box : !llvm.ptr<3>
  %a = llvm.atomicrmw add %b, %x syncscope("block") monotonic : !llvm.ptr<3>, i32
  hetir.barrier
  %v = llvm.load %b : !llvm.ptr<3> -> i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// VARIABLES: OpConvertUToPtr %_ptr_CrossWorkgroup
llvm.mlir.global external @counter() {addr_space = 1 : i32, hetir.variable} : i32
llvm.func @variables(%p: !llvm.ptr) attributes {hetir.kernel} {
  %c = llvm.mlir.addressof @counter : !llvm.ptr<1>
  %v = llvm.load %c : !llvm.ptr<1> -> i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// By a lock: 128 bits.
// WIDE: OpFunctionCall %{{.*}} %__het_spirv_exchange_wide
llvm.func @wide(%p: !llvm.ptr, %x: i128) attributes {hetir.kernel} {
  %a = llvm.atomicrmw xchg %p, %x monotonic : !llvm.ptr, i128
  llvm.return
}
