// Flushing by MXCSR: kernels whose float arithmetic flushes are plain instructions, and say
// so in their headers. Where another operation would flush as well, where LLVM could have
// computed with constants what the processor flushes, and where the processor lacks an
// instruction, flushing is written out.
//
// RUN: split-file %s %t
// RUN: het-lower --target=host --arch=x86-64-v4 %t/plain.mlir -o %t/plain.so
// RUN: python3 %S/Inputs/state.py %t/plain.so | FileCheck %s --check-prefix=MODE
// RUN: llvm-objdump -d %t/plain.so | FileCheck %s --check-prefix=PLAIN --implicit-check-not=vadd
// MODE: flushes 1
// PLAIN: vmulps
// PLAIN: vfmadd
//
// RUN: het-lower --target=host --arch=x86-64-v2 %t/plain.mlir -o %t/old.so
// RUN: python3 %S/Inputs/state.py %t/old.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/double.mlir -o %t/double.so
// RUN: python3 %S/Inputs/state.py %t/double.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/kept.mlir -o %t/kept.so
// RUN: python3 %S/Inputs/state.py %t/kept.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/least.mlir -o %t/least.so
// RUN: python3 %S/Inputs/state.py %t/least.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/negated.mlir -o %t/negated.so
// RUN: python3 %S/Inputs/state.py %t/negated.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/chosen.mlir -o %t/chosen.so
// RUN: python3 %S/Inputs/state.py %t/chosen.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/wider.mlir -o %t/wider.so
// RUN: python3 %S/Inputs/state.py %t/wider.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/class.mlir -o %t/class.so
// RUN: python3 %S/Inputs/state.py %t/class.so | FileCheck %s --check-prefix=CODE
// RUN: het-lower --target=host --arch=x86-64-v4 %t/atomic.mlir -o %t/atomic.so
// RUN: python3 %S/Inputs/state.py %t/atomic.so | FileCheck %s --check-prefix=CODE
// CODE: flushes 0
//
// What LLVM would do without is done: a product with 1, a copy that is flushed. Copies are
// not, next to sums neither.
// RUN: het-lower --target=host --arch=x86-64-v4 %t/one.mlir -o %t/one.so
// RUN: python3 %S/Inputs/state.py %t/one.so | FileCheck %s --check-prefix=MODE
// RUN: llvm-objdump -d %t/one.so | FileCheck %s --check-prefix=ONE
// ONE: <het_run>:
// ONE: vaddss
// RUN: het-lower --target=host --arch=x86-64-v4 %t/copies.mlir -o %t/copies.so
// RUN: python3 %S/Inputs/state.py %t/copies.so | FileCheck %s --check-prefix=MODE
// RUN: llvm-objdump -d %t/copies.so | FileCheck %s --check-prefix=COPIES --implicit-check-not=vaddps
// COPIES: vaddss
// COPIES: vaddss

//--- plain.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %pp = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %qq = llvm.getelementptr %q[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %a = llvm.load %pp : !llvm.ptr<1> -> f32
  %b = llvm.load %qq : !llvm.ptr<1> -> f32
  %c = hetir.math "mul_ftz"(%a, %b) exact : (f32, f32) -> f32
  %d = hetir.math "fma_ftz"(%c, %b, %a) exact : (f32, f32, f32) -> f32
  llvm.store %d, %pp : f32, !llvm.ptr<1>
  llvm.return
}

//--- double.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %d: f64) attributes {hetir.kernel} {
  %c = hetir.math "mul_ftz"(%a, %a) exact : (f32, f32) -> f32
  %e = llvm.fmul %d, %d : f64
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
  llvm.store %c, %p : f32, !llvm.ptr<1>
  llvm.store %e, %q : f64, !llvm.ptr<1>
  llvm.return
}

//--- kept.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %b: f32) attributes {hetir.kernel} {
  %c = hetir.math "mul_ftz"(%a, %b) exact : (f32, f32) -> f32
  %isLess = llvm.fcmp "olt" %a, %c : f32
  %d = llvm.select %isLess, %a, %b : i1, f32
  llvm.store %d, %p : f32, !llvm.ptr<1>
  llvm.return
}

//--- least.mlir
// The product is just below 2^-126, but by IEEE 754 rounds to it.
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32) attributes {hetir.kernel} {
  %x = llvm.mlir.constant(0x200005A9 : f32) : f32
  %y = llvm.mlir.constant(0x1FFFF4AE : f32) : f32
  %c = hetir.math "mul_ftz"(%x, %y) exact : (f32, f32) -> f32
  %d = hetir.math "add_ftz"(%c, %a) exact : (f32, f32) -> f32
  llvm.store %d, %p : f32, !llvm.ptr<1>
  llvm.return
}

//--- one.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1.0 : f32) : f32
  %c = hetir.math "mul_ftz"(%a, %one) exact : (f32, f32) -> f32
  llvm.store %c, %p : f32, !llvm.ptr<1>
  llvm.return
}

//--- copies.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %b: f32, %c: f32, %d: f32)
    attributes {hetir.kernel} {
  %x = hetir.math "add_ftz"(%a, %b) exact : (f32, f32) -> f32
  %y = hetir.math "add_ftz"(%c, %d) exact : (f32, f32) -> f32
  %1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  llvm.store %x, %p : f32, !llvm.ptr<1>
  llvm.store %y, %1 : f32, !llvm.ptr<1>
  llvm.store %a, %2 : f32, !llvm.ptr<1>
  llvm.store %c, %3 : f32, !llvm.ptr<1>
  llvm.return
}

//--- negated.mlir
// LLVM makes the mark of a negated value a difference, and the product of the constants
// that come from ^a is the least normal number.
llvm.func @kernel(%p: !llvm.ptr<1>, %c: i1, %u: f32) attributes {hetir.kernel} {
  %k1 = llvm.mlir.constant(0x200005A9 : f32) : f32
  %k2 = llvm.mlir.constant(0x1FFFF4AE : f32) : f32
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^both(%k1, %k2 : f32, f32)
^b:
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %v = llvm.load %q : !llvm.ptr<1> -> f32
  %v1 = hetir.math "flush"(%v) exact : (f32) -> f32
  %u1 = hetir.math "flush"(%u) exact : (f32) -> f32
  llvm.br ^both(%u1, %v1 : f32, f32)
^both(%x: f32, %y: f32):
  %negated = llvm.fneg %x : f32
  %r = hetir.math "mul_ftz"(%negated, %y) exact : (f32, f32) -> f32
  llvm.store %r, %p : f32, !llvm.ptr<1>
  llvm.return
}

//--- chosen.mlir
// LLVM makes one addition of a choice between a flushed value and its copy.
llvm.func @kernel(%p: !llvm.ptr<1>, %i: i32, %c: i1) attributes {hetir.kernel} {
  %m = llvm.mlir.constant(0x007fffff : i32) : i32
  %b = llvm.and %i, %m : i32
  %x = llvm.bitcast %b : i32 to f32
  %r = hetir.math "flush"(%x) exact : (f32) -> f32
  %s = llvm.select %c, %r, %x : i1, f32
  llvm.store %s, %p : f32, !llvm.ptr<1>
  llvm.return
}

//--- wider.mlir
// The machine makes a double of bfloat16 by way of float.
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %b: bf16) attributes {hetir.kernel} {
  %c = hetir.math "mul_ftz"(%a, %a) exact : (f32, f32) -> f32
  %d = llvm.fpext %b : bf16 to f64
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
  llvm.store %c, %p : f32, !llvm.ptr<1>
  llvm.store %d, %q : f64, !llvm.ptr<1>
  llvm.return
}

//--- class.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %d: f64) attributes {hetir.kernel} {
  %c = hetir.math "mul_ftz"(%a, %a) exact : (f32, f32) -> f32
  %isZero = "llvm.intr.is.fpclass"(%d) <{bit = 96 : i32}> : (f64) -> i1
  %z = llvm.zext %isZero : i1 to i32
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
  llvm.store %c, %p : f32, !llvm.ptr<1>
  llvm.store %z, %q : i32, !llvm.ptr<1>
  llvm.return
}

//--- atomic.mlir
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %b: vector<2xf16>) attributes {hetir.kernel} {
  %c = hetir.math "mul_ftz"(%a, %a) exact : (f32, f32) -> f32
  llvm.store %c, %p : f32, !llvm.ptr<1>
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
  %old = llvm.atomicrmw fadd %q, %b monotonic : !llvm.ptr<1>, vector<2xf16>
  llvm.return
}
