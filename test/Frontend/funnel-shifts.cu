// Funnel shifts are LLVM's, of which targets make rotations and instructions of theirs.
// RUN: hetcc -O3 --het-emit=hetir %s -o - | FileCheck %s

// CHECK-LABEL: llvm.func @_Z7rotatedPjjj(
// CHECK-NOT: i64
// CHECK-COUNT-2: llvm.intr.fsh
// CHECK-NOT: {{llvm.mul|llvm.lshr}}
// CHECK: llvm.return
__global__ void rotated(unsigned *out, unsigned low, unsigned high) {
  unsigned right;
  asm("shf.r.wrap.b32 %0, %1, %2, 9;" : "=r"(right) : "r"(low), "r"(high));
  out[0] = __funnelshift_l(low, low, 5) ^ right;
}
