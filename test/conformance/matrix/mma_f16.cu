// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of f16, with sums in f32 and f16: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(k16, R4244, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_WORDS(k16_half, R4222, "m16n8k16.row.col.f16.f16.f16.f16")
MMA_WORDS(k8, R2144, "m16n8k8.row.col.f32.f16.f16.f32")
MMA_WORDS(k8_half, R2122, "m16n8k8.row.col.f16.f16.f16.f16")

int main() {
  test(k16, 16, 16, F16, F16, F32, F32);
  test(k16_half, 16, 16, F16, F16, F16, F16);
  test(k8, 16, 8, F16, F16, F32, F32);
  test(k8_half, 16, 8, F16, F16, F16, F16);
  return check::finish("mma_f16");
}
