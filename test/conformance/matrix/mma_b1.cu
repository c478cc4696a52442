// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of single bits, by xor and and: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(m8k128_xor, R1122, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
MMA_WORDS(m8k128_and, R1122, "m8n8k128.row.col.s32.b1.b1.s32.and.popc")
MMA_WORDS(k128_xor, R2144, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc")
MMA_WORDS(k128_and, R2144, "m16n8k128.row.col.s32.b1.b1.s32.and.popc")
MMA_WORDS(k256_xor, R4244, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
MMA_WORDS(k256_and, R4244, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")

int main() {
  test(m8k128_xor, 8, 128, B1, B1, S32, S32, false, false);
  test(m8k128_and, 8, 128, B1, B1, S32, S32, false, true);
  test(k128_xor, 16, 128, B1, B1, S32, S32, false, false);
  test(k128_and, 16, 128, B1, B1, S32, S32, false, true);
  test(k256_xor, 16, 256, B1, B1, S32, S32, false, false);
  test(k256_and, 16, 256, B1, B1, S32, S32, false, true);
  return check::finish("mma_b1");
}
