// What a device may lack: a kernel that needs it is refused when it is lowered, with its
// name and the line where; one that does not runs.
//
// REQUIRES: spirv-dis
// DEFINE: %{lower} = het-lower --target=spirv %s "--arch=spirv1.3;teams32;nofp64;nofp16;noatomics64;nogeneric;driver" --kernel
// RUN: %{lower}=_Z5plainPf | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=PLAIN
// RUN: not %{lower}=_Z5wavesPd 2>&1 | FileCheck %s --check-prefix=WAVES
// RUN: not %{lower}=halves 2>&1 | FileCheck %s --check-prefix=HALVES
// RUN: not %{lower}=counts 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not %{lower}=times 2>&1 | FileCheck %s --check-prefix=TIMES
// RUN: not %{lower}=mixed 2>&1 | FileCheck %s --check-prefix=MIXED
//
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=_Z5wavesPd | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=HAS

// Mathematics of 32 bits need no others.
// PLAIN-NOT: OpCapability {{Float64|Float16|Int64Atomics|GenericPointer}}
// PLAIN: OpExtInst %float %{{.*}} fma
llvm.func @_Z5plainPf(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %s = hetir.math "sin"(%x) exact : (f32) -> f32
  llvm.store %s, %p : f32, !llvm.ptr<1>
  llvm.return
}

// HAS: OpCapability Float64
// WAVES: waves.cu":12:5{{.*}}: kernel 'waves(double*)' needs 64-bit floating point (double), for 'llvm.load': this device lacks it (cl_khr_fp64); run it on another device, as HET_DEVICES=host
llvm.func @_Z5wavesPd(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f64 loc("waves.cu":12:5)
  %y = llvm.fadd %x, %x : f64
  llvm.store %y, %p : f64, !llvm.ptr<1>
  llvm.return
}

// HALVES: kernel 'halves' needs arithmetic of 16-bit floating point (half), for 'llvm.load': this device lacks it (cl_khr_fp16)
llvm.func @halves(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f16
  %y = llvm.fadd %x, %x : f16
  llvm.store %y, %p : f16, !llvm.ptr<1>
  llvm.return
}

// Those of 32 bits every device has.
// COUNTS: counts.cu":3:1{{.*}}: kernel 'counts' needs atomics of 64 bits, for 'llvm.atomicrmw': this device lacks it (cl_khr_int64_base_atomics)
llvm.func @counts(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: i32, %y: i64) attributes {hetir.kernel} {
  %a = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
  %b = llvm.atomicrmw add %q, %y monotonic : !llvm.ptr<1>, i64 loc("counts.cu":3:1)
  llvm.return
}

// TIMES: kernel 'times' needs atomics of 64 bits, for 'hetir.clock'
llvm.func @times(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %t = hetir.clock nanoseconds : i64
  llvm.store %t, %p : i64, !llvm.ptr<1>
  llvm.return
}

// MIXED: kernel 'mixed' needs pointers that lead to any memory, for '{{.*}}': this device lacks it (the generic address space of OpenCL C)
llvm.func @mixed(%p: !llvm.ptr, %c: i1) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr<5>
  %g = llvm.addrspacecast %a : !llvm.ptr<5> to !llvm.ptr
  %e = llvm.select %c, %g, %p : i1, !llvm.ptr
  llvm.store volatile %one, %e : i32, !llvm.ptr
  %v = llvm.load volatile %a : !llvm.ptr<5> -> i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}
