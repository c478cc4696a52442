// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of bf16: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(k16, R4244, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_WORDS(k8, R2144, "m16n8k8.row.col.f32.bf16.bf16.f32")

int main() {
  test(k16, 16, 16, BF16, BF16, F32, F32);
  test(k8, 16, 8, BF16, BF16, F32, F32);
  return check::finish("mma_bf16");
}
