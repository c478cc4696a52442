// What a device may lack: a kernel that needs it is refused when it is lowered, with its
// name and the line where; one that does not runs.
//
// REQUIRES: spirv-dis
// DEFINE: %{lower} = het-lower --target=spirv %s "--arch=spirv1.3;teams32;nofp64;nofp16;noatomics64;nogeneric;driver" --kernel
// RUN: %{lower}=_Z5plainPf | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=PLAIN
// RUN: not %{lower}=_Z5wavesPd 2>&1 | FileCheck %s --check-prefix=WAVES
// RUN: %{lower}=moves | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=MOVES
// RUN: %{lower}=promotes | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=PROMOTES
// RUN: not %{lower}=halves 2>&1 | FileCheck %s --check-prefix=HALVES
// RUN: not %{lower}=counts 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not %{lower}=times 2>&1 | FileCheck %s --check-prefix=TIMES
// RUN: not %{lower}=mixed 2>&1 | FileCheck %s --check-prefix=MIXED
//
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=moves | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=HAS
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
// WAVES: waves.cu":13:7{{.*}}: kernel 'waves(double*)' needs 64-bit floating point (double), for 'llvm.fadd': this device lacks it (cl_khr_fp64); run it on another device, as HET_DEVICES=host
llvm.func @_Z5wavesPd(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f64 loc("waves.cu":12:5)
  %y = llvm.fadd %x, %x : f64 loc("waves.cu":13:7)
  llvm.store %y, %p : f64, !llvm.ptr<1>
  llvm.return
}

// What only moves such numbers does it by integers: memory, calls, merges, choices,
// vectors, structures, constants and signs.
// MOVES-NOT: OpCapability Float64
// MOVES-NOT: OpTypeFloat 64
// MOVES: OpBitwiseXor %ulong
// MOVES: OpBitwiseAnd %ulong %{{[^ ]+}} %ulong_9223372036854775807
llvm.mlir.global internal constant @table(dense<[1.0, 2.5, -0.0]> : tensor<3xf64>) {addr_space = 4 : i32} : !llvm.array<3 x f64>
llvm.func @sign(%x: f64 {llvm.nofpclass = 3 : i64}) -> (f64 {llvm.nofpclass = 3 : i64}) attributes {passthrough = ["noinline"]} {
  %y = llvm.fneg %x : f64
  llvm.return %y : f64
}
llvm.func @moves(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %c: i1, %i: i64) attributes {hetir.kernel} {
  %three = llvm.mlir.constant(3.0 : f64) : f64
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %e = llvm.getelementptr %t[0, %i] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, !llvm.array<3 x f64>
  %u = llvm.load %e : !llvm.ptr<4> -> f64
  %x = llvm.load %p : !llvm.ptr<1> -> f64
  %n = llvm.call @sign(%x) : (f64) -> f64
  llvm.cond_br %c, ^end(%n : f64), ^other
^other:
  %v = llvm.load %q : !llvm.ptr<1> -> vector<2xf64>
  %one = llvm.mlir.constant(1 : i32) : i32
  %w = llvm.extractelement %v[%one : i32] : vector<2xf64>
  %s = llvm.select %c, %u, %w : i1, f64
  %a = llvm.intr.fabs(%s) : (f64) -> f64
  llvm.br ^end(%a : f64)
^end(%r: f64):
  llvm.store %r, %q : f64, !llvm.ptr<1>
  %d = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(f64, f32)>
  llvm.store %three, %d : f64, !llvm.ptr<1>
  llvm.store %u, %p : f64, !llvm.ptr<1>
  llvm.return
}

// A number of 32 bits is promoted, as an argument of printf is.
// PROMOTES-NOT: OpCapability Float64
// PROMOTES-DAG: OpExtInst %uint %{{[^ ]+}} clz
// PROMOTES-DAG: OpIAdd %ulong %{{[^ ]+}} %ulong_4035225266123964416
llvm.func @promotes(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fpext %x : f32 to f64
  llvm.store %y, %q : f64, !llvm.ptr<1>
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
