// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of tf32, whose lower 13 bits do not count: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(k8, R4244, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_WORDS(k4, R2144, "m16n8k4.row.col.f32.tf32.tf32.f32")

int main() {
  test(k8, 16, 8, TF32, TF32, F32, F32);
  test(k4, 16, 4, TF32, TF32, F32, F32);
  return check::finish("mma_tf32");
}
