// Atomics by width, shared memory, package variables.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=atomics | %{dis}=ATOMICS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=shares | %{dis}=SHARES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=variables | %{dis}=VARIABLES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=wide | %{dis}=WIDE
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=keeps | %{dis}=KEEPS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=keeps_visits | %{dis}=VISITS

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

// A stack of pointers keeps its size, of whatever its pointers turn out to be.
// KEEPS: %[[STACK:.*]] = OpTypeArray %ulong %uint_16
// KEEPS: %[[POINTER:.*]] = OpTypePointer Function %[[STACK]]
// KEEPS: OpVariable %[[POINTER]] Function
llvm.func @keeps(%p: !llvm.ptr, %n: i64, %out: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %stack = llvm.alloca %one x !llvm.array<16 x ptr> {alignment = 8 : i64} : (i64) -> !llvm.ptr
  llvm.br ^loop(%zero, %p : i64, !llvm.ptr)
^loop(%i: i64, %at: !llvm.ptr):
  %place = llvm.getelementptr inbounds %stack[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %at, %place : !llvm.ptr, !llvm.ptr
  llvm.store %at, %stack : !llvm.ptr, !llvm.ptr
  %next = llvm.load %at : !llvm.ptr -> !llvm.ptr
  %j = llvm.add %i, %one : i64
  %again = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %again, ^loop(%j, %next : i64, !llvm.ptr), ^back(%j : i64)
^back(%k: i64):
  %h = llvm.sub %k, %one : i64
  %from = llvm.getelementptr inbounds %stack[%h] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %kept = llvm.load %from : !llvm.ptr -> !llvm.ptr
  %key = llvm.getelementptr inbounds %kept[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %v = llvm.load %key : !llvm.ptr -> i32
  llvm.store %v, %out : i32, !llvm.ptr
  %more = llvm.icmp "ne" %h, %zero : i64
  llvm.cond_br %more, ^back(%h : i64), ^end
^end:
  llvm.return
}

// The same where they are parts of a structure.
// VISITS: %[[VISIT:.*]] = OpTypeStruct %ushort %ulong %uchar %ulong
// VISITS: %[[STACK:.*]] = OpTypeArray %[[VISIT]] %uint_16
// VISITS: %[[POINTER:.*]] = OpTypePointer Function %[[STACK]]
// VISITS: OpVariable %[[POINTER]] Function
llvm.func @keeps_visits(%p: !llvm.ptr, %n: i64, %out: !llvm.ptr) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %stack = llvm.alloca %one x !llvm.array<16 x struct<(i16, ptr, i8, ptr)>> {alignment = 8 : i64} : (i64) -> !llvm.ptr
  llvm.br ^loop(%zero, %p : i64, !llvm.ptr)
^loop(%i: i64, %at: !llvm.ptr):
  %place = llvm.getelementptr inbounds %stack[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i16, ptr, i8, ptr)>
  llvm.store %at, %place : !llvm.ptr, !llvm.ptr
  %next = llvm.load %at : !llvm.ptr -> !llvm.ptr
  %j = llvm.add %i, %one : i64
  %again = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %again, ^loop(%j, %next : i64, !llvm.ptr), ^back(%j : i64)
^back(%k: i64):
  %h = llvm.sub %k, %one : i64
  %from = llvm.getelementptr inbounds %stack[%h] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i16, ptr, i8, ptr)>
  %kept = llvm.load %from : !llvm.ptr -> !llvm.ptr
  %key = llvm.getelementptr inbounds %kept[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %v = llvm.load %key : !llvm.ptr -> i32
  llvm.store %v, %out : i32, !llvm.ptr
  %more = llvm.icmp "ne" %h, %zero : i64
  llvm.cond_br %more, ^back(%h : i64), ^end
^end:
  llvm.return
}
