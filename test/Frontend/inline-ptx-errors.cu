// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o - 2>&1 | FileCheck %s

// What is wrong in inline PTX is named at the statement's line, with the line of the text
// if that has several; what no kernel reaches is not looked at.

__device__ void unreached() { asm volatile("tcgen05.wait::ld.sync.aligned;"); }

// CHECK-NOT: tcgen05
// CHECK: inline-ptx-errors.cu:[[# @LINE + 2]]:3: error: inline assembly: the PTX instruction 'mma.sync' is not supported yet (line 3 of the assembly)
__global__ void unknown() {
  asm volatile("{\n\t.reg .u32 t;\n\tmma.sync t, t;\n}");
}

// CHECK: inline-ptx-errors.cu:[[# @LINE + 3]]:3: error: inline assembly: the PTX instruction 'add.u32': 't' is not declared
// CHECK: inline-ptx-errors.cu:[[# @LINE + 3]]:3: error: inline assembly: the PTX instruction 'add.u32': 't' is no register that can be written
__global__ void undeclared(unsigned *p) {
  asm volatile("add.u32 %0, t, 1;" : "=r"(p[0]));
  asm volatile("add.u32 t, %0, 1;" ::"r"(p[0]));
}

// CHECK: inline-ptx-errors.cu:[[# @LINE + 3]]:3: error: inline assembly: the PTX instruction 'add.u64': '%1': found a register of 32 bits, expected a register of 64 bits
// CHECK: inline-ptx-errors.cu:[[# @LINE + 3]]:3: error: inline assembly: the PTX instruction 'selp.b32': '%1': found a register of 32 bits, expected a predicate
__global__ void widths(unsigned long long *p, unsigned i) {
  asm volatile("add.u64 %0, %1, 1;" : "=l"(p[0]) : "r"(i));
  asm volatile("selp.b32 %0, 1, 2, %1;" : "=r"(i) : "r"(i));
}

// CHECK: inline-ptx-errors.cu:[[# @LINE + 6]]:3: error: inline assembly: found 'the end', expected '}'
// CHECK: inline-ptx-errors.cu:[[# @LINE + 6]]:3: error: inline assembly: found '@', expected an instruction
// CHECK: inline-ptx-errors.cu:[[# @LINE + 6]]:3: error: inline assembly: the label 'L' stands twice
// CHECK: inline-ptx-errors.cu:[[# @LINE + 6]]:3: error: inline assembly: the PTX instruction 'bra': 'M' is no label
// CHECK: inline-ptx-errors.cu:[[# @LINE + 6]]:3: error: inline assembly: the PTX instruction 'ld.u32': operand 2 is not an address in brackets
__global__ void grammar(unsigned i) {
  asm volatile("{ add.u32 %0, %0, 1;" : "+r"(i));
  asm volatile("@p @q add.u32 %0, %0, 1;" : "+r"(i));
  asm volatile("L: L: ;");
  asm volatile("{ M: } bra M;");
  asm volatile("ld.u32 %0, %0;" : "+r"(i));
}

// CHECK: inline-ptx-errors.cu:[[# @LINE + 5]]:3: error: inline assembly: the PTX instruction 'vadd2.u32.u32.u32': '40' selects no lanes
// CHECK: inline-ptx-errors.cu:[[# @LINE + 5]]:3: error: inline assembly: the PTX instruction 'vadd4.u32.u32.u32': '13' is no mask of lanes
// CHECK: inline-ptx-errors.cu:[[# @LINE + 5]]:3: error: inline assembly: the PTX instruction 'add.u32': operand 1 is not a register
// CHECK: inline-ptx-errors.cu:[[# @LINE + 5]]:3: error: inline assembly: '.reg' declarations of this form are not supported here
__global__ void parts(unsigned i) {
  asm volatile("vadd2.u32.u32.u32 %0, %1.h40, %1, 0;" : "=r"(i) : "r"(i));
  asm volatile("vadd4.u32.u32.u32 %0.b13, %1, %1, 0;" : "=r"(i) : "r"(i));
  asm volatile("{ .reg .v2 .u32 v; add.u32 v, %0, 1; }" ::"r"(i));
  asm volatile("{ .reg .v4 .b64 v; }");
}

// CHECK: inline-ptx-errors.cu:[[# @LINE + 2]]:3: error: inline assembly: the PTX instruction 'cp.async.wait_group': found 4294967296 groups, expected at most 2147483647
__global__ void groups() {
  asm volatile("cp.async.wait_group 4294967296;");
}
