// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of integers of 4 bits, with and without .satfinite: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(m8k32_ss, R1122, "m8n8k32.row.col.s32.s4.s4.s32")
MMA_WORDS(m8k32_ss_sat, R1122, "m8n8k32.row.col.satfinite.s32.s4.s4.s32")
MMA_WORDS(m8k32_su, R1122, "m8n8k32.row.col.s32.s4.u4.s32")
MMA_WORDS(m8k32_su_sat, R1122, "m8n8k32.row.col.satfinite.s32.s4.u4.s32")
MMA_WORDS(m8k32_us, R1122, "m8n8k32.row.col.s32.u4.s4.s32")
MMA_WORDS(m8k32_us_sat, R1122, "m8n8k32.row.col.satfinite.s32.u4.s4.s32")
MMA_WORDS(m8k32_uu, R1122, "m8n8k32.row.col.s32.u4.u4.s32")
MMA_WORDS(m8k32_uu_sat, R1122, "m8n8k32.row.col.satfinite.s32.u4.u4.s32")
MMA_WORDS(k32_ss, R2144, "m16n8k32.row.col.s32.s4.s4.s32")
MMA_WORDS(k32_ss_sat, R2144, "m16n8k32.row.col.satfinite.s32.s4.s4.s32")
MMA_WORDS(k32_su, R2144, "m16n8k32.row.col.s32.s4.u4.s32")
MMA_WORDS(k32_su_sat, R2144, "m16n8k32.row.col.satfinite.s32.s4.u4.s32")
MMA_WORDS(k32_us, R2144, "m16n8k32.row.col.s32.u4.s4.s32")
MMA_WORDS(k32_us_sat, R2144, "m16n8k32.row.col.satfinite.s32.u4.s4.s32")
MMA_WORDS(k32_uu, R2144, "m16n8k32.row.col.s32.u4.u4.s32")
MMA_WORDS(k32_uu_sat, R2144, "m16n8k32.row.col.satfinite.s32.u4.u4.s32")
MMA_WORDS(k64_ss, R4244, "m16n8k64.row.col.s32.s4.s4.s32")
MMA_WORDS(k64_ss_sat, R4244, "m16n8k64.row.col.satfinite.s32.s4.s4.s32")
MMA_WORDS(k64_su, R4244, "m16n8k64.row.col.s32.s4.u4.s32")
MMA_WORDS(k64_su_sat, R4244, "m16n8k64.row.col.satfinite.s32.s4.u4.s32")
MMA_WORDS(k64_us, R4244, "m16n8k64.row.col.s32.u4.s4.s32")
MMA_WORDS(k64_us_sat, R4244, "m16n8k64.row.col.satfinite.s32.u4.s4.s32")
MMA_WORDS(k64_uu, R4244, "m16n8k64.row.col.s32.u4.u4.s32")
MMA_WORDS(k64_uu_sat, R4244, "m16n8k64.row.col.satfinite.s32.u4.u4.s32")

int main() {
  test(m8k32_ss, 8, 32, S4, S4, S32, S32, false);
  test(m8k32_ss_sat, 8, 32, S4, S4, S32, S32, true);
  test(m8k32_su, 8, 32, S4, U4, S32, S32, false);
  test(m8k32_su_sat, 8, 32, S4, U4, S32, S32, true);
  test(m8k32_us, 8, 32, U4, S4, S32, S32, false);
  test(m8k32_us_sat, 8, 32, U4, S4, S32, S32, true);
  test(m8k32_uu, 8, 32, U4, U4, S32, S32, false);
  test(m8k32_uu_sat, 8, 32, U4, U4, S32, S32, true);
  test(k32_ss, 16, 32, S4, S4, S32, S32, false);
  test(k32_ss_sat, 16, 32, S4, S4, S32, S32, true);
  test(k32_su, 16, 32, S4, U4, S32, S32, false);
  test(k32_su_sat, 16, 32, S4, U4, S32, S32, true);
  test(k32_us, 16, 32, U4, S4, S32, S32, false);
  test(k32_us_sat, 16, 32, U4, S4, S32, S32, true);
  test(k32_uu, 16, 32, U4, U4, S32, S32, false);
  test(k32_uu_sat, 16, 32, U4, U4, S32, S32, true);
  test(k64_ss, 16, 64, S4, S4, S32, S32, false);
  test(k64_ss_sat, 16, 64, S4, S4, S32, S32, true);
  test(k64_su, 16, 64, S4, U4, S32, S32, false);
  test(k64_su_sat, 16, 64, S4, U4, S32, S32, true);
  test(k64_us, 16, 64, U4, S4, S32, S32, false);
  test(k64_us_sat, 16, 64, U4, S4, S32, S32, true);
  test(k64_uu, 16, 64, U4, U4, S32, S32, false);
  test(k64_uu_sat, 16, 64, U4, U4, S32, S32, true);
  return check::finish("mma_int4");
}
