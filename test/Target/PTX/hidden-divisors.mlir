// Divisors of 32 bits and fewer that LLVM may see to be zero or -1 on some way: the machine
// divides by them as hetIR has it, and nothing is concluded from that they must not be so.
// One that becomes another constant is divided by as any constant is.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx86" --kernel=selected %s | FileCheck --check-prefix=SELECTED %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx86" --kernel=narrow %s | FileCheck --check-prefix=NARROW %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx86" --kernel=inlined %s | FileCheck --check-prefix=INLINED %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx86" --kernel=wide %s | FileCheck --check-prefix=WIDE %s

// SELECTED: selp.b32 [[DIVISOR:%r[0-9]+]], 0, {{%r[0-9]+}}, %p
// SELECTED: // divisor
// SELECTED: div.s32 [[QUOTIENT:%r[0-9]+]], {{%r[0-9]+}}, [[DIVISOR]];
// SELECTED-NOT: selp
// SELECTED: st.global.b32 [{{.*}}], [[QUOTIENT]];
llvm.func @selected(%out: !llvm.ptr, %a: i32, %b: i32, %c: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %odd = llvm.icmp "eq" %c, %zero : i32
  %divisor = llvm.select %odd, %zero, %b : i1, i32
  %q = llvm.sdiv %a, %divisor : i32
  llvm.store %q, %out : i32, !llvm.ptr
  llvm.return
}

// NARROW: // divisor
// NARROW: rem.s16
// NARROW-NOT: selp
// NARROW: st.global.b8
llvm.func @narrow(%out: !llvm.ptr, %a: i8, %b: i8, %c: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %ones = llvm.mlir.constant(-1 : i8) : i8
  %odd = llvm.icmp "eq" %c, %zero : i32
  %divisor = llvm.select %odd, %ones, %b : i1, i8
  %r = llvm.srem %a, %divisor : i8
  llvm.store %r, %out : i8, !llvm.ptr
  llvm.return
}

// INLINED-NOT: {{div|rem}}.u32
// INLINED: mul.hi.u32
// INLINED-NOT: {{div|rem}}.u32
llvm.func @inlined(%out: !llvm.ptr, %a: i32) attributes {hetir.kernel} {
  %ten = llvm.mlir.constant(10 : i32) : i32
  %q = llvm.call @quotient(%a, %ten) : (i32, i32) -> i32
  llvm.store %q, %out : i32, !llvm.ptr
  llvm.return
}
llvm.func internal @quotient(%a: i32, %b: i32) -> i32 {
  %q = llvm.udiv %a, %b : i32
  llvm.return %q : i32
}

// WIDE-NOT: // divisor
// WIDE: max.u64
// WIDE: selp.b64
llvm.func @wide(%out: !llvm.ptr, %a: i64, %b: i64) attributes {hetir.kernel} {
  %q = llvm.udiv %a, %b : i64
  llvm.store %q, %out : i64, !llvm.ptr
  llvm.return
}
