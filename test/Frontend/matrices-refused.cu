// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o - 2>&1 | FileCheck %s

// Forms of instructions on matrices that are not supported, and vectors of registers of
// another length than the shape asks for.

// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'mma.sync.aligned.m16n8k16.row.col.f32.bf16.f16.f32' is not supported yet
// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32' is not supported yet
// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32': operand 2: found 1 registers, expected 2
// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'ldmatrix.sync.aligned.m8n8.x2.shared.b16': operand 1: found 1 registers, expected 2
// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32' is not supported yet
// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'tcgen05.wait::ld.sync.aligned' is not supported yet
// CHECK: matrices-refused.cu:[[# @LINE + 8]]:3: error: inline assembly: the PTX instruction 'mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32': C and D must be of one type
__global__ void refused(unsigned a) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.f16.f32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, {%0, %0}, {%0, %0, %0, %0};" : "+r"(a));
  asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, {%0, %0, %0, %0}, {%0, %0, %0, %0}, %0, 0;" : "+r"(a));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%0}, {%0}, {%0, %0, %0, %0};" : "+r"(a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%0];" : "+r"(a));
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 {%0}, {%0}, {%0}, {%0};" : "+r"(a));
  asm volatile("tcgen05.wait::ld.sync.aligned;");
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 {%0, %0}, {%0, %0, %0, %0}, {%0, %0}, {%0, %0, %0, %0};" : "+r"(a));
}
