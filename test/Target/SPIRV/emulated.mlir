// 64-bit floating point on a device without it: what computes with it becomes calls of
// the device library's floating point in integers, where that is asked for ("softfp64") or
// the source has none of it.
//
// REQUIRES: spirv-dis
// DEFINE: %{lower} = het-lower --target=spirv %s "--arch=spirv1.3;teams32;nofp64;softfp64;driver" --kernel
// DEFINE: %{refuse} = het-lower --target=spirv %s "--arch=spirv1.3;teams32;nofp64;driver" --kernel
// DEFINE: %{text} = python3 %S/Inputs/artifact.py | spirv-dis
// RUN: %{lower}=computes | %{text} | FileCheck %s --check-prefixes=NONE,COMPUTES
// RUN: %{lower}=compares | %{text} | FileCheck %s --check-prefixes=NONE,COMPARES
// RUN: %{lower}=converts | %{text} | FileCheck %s --check-prefixes=NONE,CONVERTS
// RUN: %{lower}=vectors | %{text} | FileCheck %s --check-prefixes=NONE,VECTORS
// RUN: %{lower}=atomics | %{text} | FileCheck %s --check-prefixes=NONE,ATOMICS
// RUN: %{lower}=passes | %{text} | FileCheck %s --check-prefixes=NONE,PASSES
// RUN: %{refuse}=inside | %{text} | FileCheck %s --check-prefixes=NONE,INSIDE
// RUN: not %{refuse}=computes 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %{refuse}=far 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not %{lower}=scales 2>&1 | FileCheck %s --check-prefix=SCALES
//
// A device that has it computes with it, whatever is asked for.
// RUN: het-lower --target=spirv "--arch=spirv1.3;softfp64" %s --kernel=computes | %{text} | FileCheck %s --check-prefix=HAS
// HAS: OpCapability Float64
// HAS-NOT: __het_soft

// NONE-NOT: OpCapability Float64
// NONE-NOT: OpTypeFloat 64

// COMPUTES: %[[#SUM:]] = OpFunctionCall %ulong %__het_soft_add_f64 %{{[^ ]+}} %ulong_4607182418800017408
// COMPUTES: %[[#ALL:]] = OpFunctionCall %ulong %__het_soft_fma_f64 %[[#SUM]]
// COMPUTES: OpFunctionCall %ulong %__het_soft_sqrt_f64 %[[#ALL]]
// REFUSED: kernel 'computes' needs 64-bit floating point (double), for 'llvm.fadd': this device lacks it (cl_khr_fp64); run it on another device, as HET_DEVICES=host, or set HET_SPIRV_FP64=emulate, which computes it by integers, slowly
llvm.func @computes(%p: !llvm.ptr<1>, %x: f64) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1.0 : f64) : f64
  %y = llvm.load %p : !llvm.ptr<1> -> f64
  %s = llvm.fadd %y, %one : f64
  %f = llvm.intr.fma(%s, %x, %y) : (f64, f64, f64) -> f64
  %r = llvm.intr.sqrt(%f) : (f64) -> f64
  llvm.store %r, %p : f64, !llvm.ptr<1>
  llvm.return
}

// a >= b is b <= a, and what is "unordered or" is not its opposite.
// COMPARES: %[[#A:]] = OpLoad %ulong {{.*}}Volatile
// COMPARES: %[[#B:]] = OpLoad %ulong {{.*}}Volatile
// COMPARES: OpFunctionCall %uint %__het_soft_le_f64 %[[#B]] %[[#A]]
// COMPARES: OpFunctionCall %uint %__het_soft_lt_f64 %[[#B]] %[[#A]]
llvm.func @compares(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {hetir.kernel} {
  %a = llvm.load volatile %p : !llvm.ptr<1> -> f64
  %b = llvm.load volatile %q : !llvm.ptr<1> -> f64
  %oge = llvm.fcmp "oge" %a, %b : f64
  %ule = llvm.fcmp "ule" %a, %b : f64
  %class = "llvm.intr.is.fpclass"(%a) <{bit = 264 : i32}> : (f64) -> i1
  %both = llvm.or %oge, %class : i1
  %i = llvm.zext %both : i1 to i32
  %j = llvm.zext %ule : i1 to i32
  llvm.store %i, %p : i32, !llvm.ptr<1>
  llvm.store %j, %q : i32, !llvm.ptr<1>
  llvm.return
}

// CONVERTS-DAG: OpFunctionCall %ulong %__het_soft_f64_from_u32
// CONVERTS-DAG: OpFunctionCall %ulong %__het_soft_i64_from_f64
// CONVERTS-DAG: OpFunctionCall %uint %__het_soft_f32_from_f64
// CONVERTS-DAG: OpFunctionCall %ushort %__het_soft_f16_from_f64
llvm.func @converts(%p: !llvm.ptr<1>, %i: i8) attributes {hetir.kernel} {
  %a = llvm.uitofp %i : i8 to f64
  %x = llvm.load %p : !llvm.ptr<1> -> f64
  %s = llvm.fadd %a, %x : f64
  %n = llvm.call_intrinsic "llvm.fptosi.sat.i64.f64"(%s) : (f64) -> i64
  %f = llvm.fptrunc %s : f64 to f32
  %h = llvm.fptrunc %s : f64 to f16
  llvm.store volatile %n, %p : i64, !llvm.ptr<1>
  llvm.store volatile %f, %p : f32, !llvm.ptr<1>
  llvm.store volatile %h, %p : f16, !llvm.ptr<1>
  llvm.return
}

// VECTORS-COUNT-2: OpFunctionCall %ulong %__het_soft_mul_f64
llvm.func @vectors(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {hetir.kernel} {
  %a = llvm.load volatile %p : !llvm.ptr<1> -> vector<2xf64>
  %b = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf64>
  %c = llvm.fmul %a, %b : vector<2xf64>
  llvm.store volatile %c, %p : vector<2xf64>, !llvm.ptr<1>
  llvm.return
}

// ATOMICS: OpFunctionCall %ulong %__het_soft_add_f64
// ATOMICS: OpAtomicCompareExchange %ulong
llvm.func @atomics(%p: !llvm.ptr<1>, %x: f64) attributes {hetir.kernel} {
  %old = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr<1>, f64
  llvm.return
}

// In structures by value, too.
// PASSES: OpFunctionCall %ulong
llvm.func internal @sum(%p: !llvm.ptr {llvm.byval = !llvm.struct<(f64, f64)>}, %x: f64) -> f64 attributes {passthrough = ["noinline"]} {
  %a = llvm.load volatile %p : !llvm.ptr -> f64
  %s = llvm.fsub %a, %x : f64
  llvm.return %s : f64
}
llvm.func @passes(%pair: !llvm.ptr {llvm.byval = !llvm.struct<(f64, f64)>}, %q: !llvm.ptr<1>, %x: f64) attributes {hetir.kernel} {
  %s = llvm.call @sum(%pair, %x) : (!llvm.ptr {llvm.byval = !llvm.struct<(f64, f64)>}, f64) -> f64
  llvm.store %s, %q : f64, !llvm.ptr<1>
  llvm.return
}

// The library computes so inside, of numbers of 32 bits.
// INSIDE: "__het_soft_
llvm.func @inside(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = hetir.math "rsqrt_rn"(%x) exact : (f32) -> f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}

// A function of the source is the source's.
// FAR: kernel 'far' needs 64-bit floating point (double), for 'llvm.fmul'
llvm.func internal @double(%x: f32) -> f32 {
  %a = llvm.fpext %x : f32 to f64
  %b = llvm.fmul %a, %a : f64
  %c = llvm.fptrunc %b : f64 to f32
  llvm.return %c : f32
}
llvm.func @far(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %r = hetir.math "rsqrt_rn"(%x) exact : (f32) -> f32
  %y = llvm.call @double(%r) : (f32) -> f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}

// SCALES: 64-bit floating point that this device lacks and that can not be emulated:{{.*}}llvm.ldexp.f64
llvm.func @scales(%p: !llvm.ptr<1>, %n: i32) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f64
  %y = llvm.intr.ldexp(%x, %n) : (f64, i32) -> f64
  llvm.store %y, %p : f64, !llvm.ptr<1>
  llvm.return
}
