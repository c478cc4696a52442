// Loops that load are unrolled four times, and further by ptxas; the rounds that are left
// over are not. Their elements share a pointer, whose offset is of 64 bits, while the
// counter stays one of 32.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

// CHECK-LABEL: .visible .entry sum(
// CHECK: .pragma "nounroll";
// CHECK-NEXT: ld.global.b32
// CHECK: bra
// CHECK-NOT: .pragma
// CHECK: ld.global.b32 {{.*}}, [[[AT:%rd[0-9]+]]
// CHECK-NOT: .pragma
// CHECK-COUNT-3: ld.global.b32 {{.*}}, [[[AT]]
// CHECK: add.s32
// CHECK: bra
// CHECK: ret;
llvm.func @sum(%out: !llvm.ptr, %in: !llvm.ptr, %count: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %step = llvm.mlir.constant(32 : i32) : i32
  %first = hetir.thread_id x
  %any = llvm.icmp "slt" %first, %count : i32
  llvm.cond_br %any, ^loop(%first, %zero : i32, f32), ^end(%zero : f32)
^loop(%at: i32, %total: f32):
  %index = llvm.sext %at : i32 to i64
  %element = llvm.getelementptr inbounds %in[%index] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %element : !llvm.ptr -> f32
  %sum = llvm.fadd %total, %x : f32
  %next = llvm.add %at, %step overflow<nsw> : i32
  %more = llvm.icmp "slt" %next, %count : i32
  llvm.cond_br %more, ^loop(%next, %sum : i32, f32), ^end(%sum : f32)
^end(%result: f32):
  llvm.store %result, %out : f32, !llvm.ptr
  llvm.return
}
