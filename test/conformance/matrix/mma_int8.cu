// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of integers of 8 bits, with and without .satfinite: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(m8k16_ss, R1122, "m8n8k16.row.col.s32.s8.s8.s32")
MMA_WORDS(m8k16_ss_sat, R1122, "m8n8k16.row.col.satfinite.s32.s8.s8.s32")
MMA_WORDS(m8k16_su, R1122, "m8n8k16.row.col.s32.s8.u8.s32")
MMA_WORDS(m8k16_su_sat, R1122, "m8n8k16.row.col.satfinite.s32.s8.u8.s32")
MMA_WORDS(m8k16_us, R1122, "m8n8k16.row.col.s32.u8.s8.s32")
MMA_WORDS(m8k16_us_sat, R1122, "m8n8k16.row.col.satfinite.s32.u8.s8.s32")
MMA_WORDS(m8k16_uu, R1122, "m8n8k16.row.col.s32.u8.u8.s32")
MMA_WORDS(m8k16_uu_sat, R1122, "m8n8k16.row.col.satfinite.s32.u8.u8.s32")
MMA_WORDS(k16_ss, R2144, "m16n8k16.row.col.s32.s8.s8.s32")
MMA_WORDS(k16_ss_sat, R2144, "m16n8k16.row.col.satfinite.s32.s8.s8.s32")
MMA_WORDS(k16_su, R2144, "m16n8k16.row.col.s32.s8.u8.s32")
MMA_WORDS(k16_su_sat, R2144, "m16n8k16.row.col.satfinite.s32.s8.u8.s32")
MMA_WORDS(k16_us, R2144, "m16n8k16.row.col.s32.u8.s8.s32")
MMA_WORDS(k16_us_sat, R2144, "m16n8k16.row.col.satfinite.s32.u8.s8.s32")
MMA_WORDS(k16_uu, R2144, "m16n8k16.row.col.s32.u8.u8.s32")
MMA_WORDS(k16_uu_sat, R2144, "m16n8k16.row.col.satfinite.s32.u8.u8.s32")
MMA_WORDS(k32_ss, R4244, "m16n8k32.row.col.s32.s8.s8.s32")
MMA_WORDS(k32_ss_sat, R4244, "m16n8k32.row.col.satfinite.s32.s8.s8.s32")
MMA_WORDS(k32_su, R4244, "m16n8k32.row.col.s32.s8.u8.s32")
MMA_WORDS(k32_su_sat, R4244, "m16n8k32.row.col.satfinite.s32.s8.u8.s32")
MMA_WORDS(k32_us, R4244, "m16n8k32.row.col.s32.u8.s8.s32")
MMA_WORDS(k32_us_sat, R4244, "m16n8k32.row.col.satfinite.s32.u8.s8.s32")
MMA_WORDS(k32_uu, R4244, "m16n8k32.row.col.s32.u8.u8.s32")
MMA_WORDS(k32_uu_sat, R4244, "m16n8k32.row.col.satfinite.s32.u8.u8.s32")

int main() {
  test(m8k16_ss, 8, 16, S8, S8, S32, S32, false);
  test(m8k16_ss_sat, 8, 16, S8, S8, S32, S32, true);
  test(m8k16_su, 8, 16, S8, U8, S32, S32, false);
  test(m8k16_su_sat, 8, 16, S8, U8, S32, S32, true);
  test(m8k16_us, 8, 16, U8, S8, S32, S32, false);
  test(m8k16_us_sat, 8, 16, U8, S8, S32, S32, true);
  test(m8k16_uu, 8, 16, U8, U8, S32, S32, false);
  test(m8k16_uu_sat, 8, 16, U8, U8, S32, S32, true);
  test(k16_ss, 16, 16, S8, S8, S32, S32, false);
  test(k16_ss_sat, 16, 16, S8, S8, S32, S32, true);
  test(k16_su, 16, 16, S8, U8, S32, S32, false);
  test(k16_su_sat, 16, 16, S8, U8, S32, S32, true);
  test(k16_us, 16, 16, U8, S8, S32, S32, false);
  test(k16_us_sat, 16, 16, U8, S8, S32, S32, true);
  test(k16_uu, 16, 16, U8, U8, S32, S32, false);
  test(k16_uu_sat, 16, 16, U8, U8, S32, S32, true);
  test(k32_ss, 16, 32, S8, S8, S32, S32, false);
  test(k32_ss_sat, 16, 32, S8, S8, S32, S32, true);
  test(k32_su, 16, 32, S8, U8, S32, S32, false);
  test(k32_su_sat, 16, 32, S8, U8, S32, S32, true);
  test(k32_us, 16, 32, U8, S8, S32, S32, false);
  test(k32_us_sat, 16, 32, U8, S8, S32, S32, true);
  test(k32_uu, 16, 32, U8, U8, S32, S32, false);
  test(k32_uu_sat, 16, 32, U8, U8, S32, S32, true);
  return check::finish("mma_int8");
}
