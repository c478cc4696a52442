// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of e4m3 and e5m2, with sums in f32 and f16: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_WORDS(k16_e4m3_e4m3_f32, R2144, "m16n8k16.row.col.f32.e4m3.e4m3.f32")
MMA_WORDS(k16_e4m3_e4m3_f16, R2122, "m16n8k16.row.col.f16.e4m3.e4m3.f16")
MMA_WORDS(k32_e4m3_e4m3_f32, R4244, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
MMA_WORDS(k32_e4m3_e4m3_f16, R4222, "m16n8k32.row.col.f16.e4m3.e4m3.f16")
MMA_WORDS(k16_e4m3_e5m2_f32, R2144, "m16n8k16.row.col.f32.e4m3.e5m2.f32")
MMA_WORDS(k16_e4m3_e5m2_f16, R2122, "m16n8k16.row.col.f16.e4m3.e5m2.f16")
MMA_WORDS(k32_e4m3_e5m2_f32, R4244, "m16n8k32.row.col.f32.e4m3.e5m2.f32")
MMA_WORDS(k32_e4m3_e5m2_f16, R4222, "m16n8k32.row.col.f16.e4m3.e5m2.f16")
MMA_WORDS(k16_e5m2_e4m3_f32, R2144, "m16n8k16.row.col.f32.e5m2.e4m3.f32")
MMA_WORDS(k16_e5m2_e4m3_f16, R2122, "m16n8k16.row.col.f16.e5m2.e4m3.f16")
MMA_WORDS(k32_e5m2_e4m3_f32, R4244, "m16n8k32.row.col.f32.e5m2.e4m3.f32")
MMA_WORDS(k32_e5m2_e4m3_f16, R4222, "m16n8k32.row.col.f16.e5m2.e4m3.f16")
MMA_WORDS(k16_e5m2_e5m2_f32, R2144, "m16n8k16.row.col.f32.e5m2.e5m2.f32")
MMA_WORDS(k16_e5m2_e5m2_f16, R2122, "m16n8k16.row.col.f16.e5m2.e5m2.f16")
MMA_WORDS(k32_e5m2_e5m2_f32, R4244, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
MMA_WORDS(k32_e5m2_e5m2_f16, R4222, "m16n8k32.row.col.f16.e5m2.e5m2.f16")

int main() {
  test(k16_e4m3_e4m3_f32, 16, 16, E4M3, E4M3, F32, F32);
  test(k16_e4m3_e4m3_f16, 16, 16, E4M3, E4M3, F16, F16);
  test(k32_e4m3_e4m3_f32, 16, 32, E4M3, E4M3, F32, F32);
  test(k32_e4m3_e4m3_f16, 16, 32, E4M3, E4M3, F16, F16);
  test(k16_e4m3_e5m2_f32, 16, 16, E4M3, E5M2, F32, F32);
  test(k16_e4m3_e5m2_f16, 16, 16, E4M3, E5M2, F16, F16);
  test(k32_e4m3_e5m2_f32, 16, 32, E4M3, E5M2, F32, F32);
  test(k32_e4m3_e5m2_f16, 16, 32, E4M3, E5M2, F16, F16);
  test(k16_e5m2_e4m3_f32, 16, 16, E5M2, E4M3, F32, F32);
  test(k16_e5m2_e4m3_f16, 16, 16, E5M2, E4M3, F16, F16);
  test(k32_e5m2_e4m3_f32, 16, 32, E5M2, E4M3, F32, F32);
  test(k32_e5m2_e4m3_f16, 16, 32, E5M2, E4M3, F16, F16);
  test(k16_e5m2_e5m2_f32, 16, 16, E5M2, E5M2, F32, F32);
  test(k16_e5m2_e5m2_f16, 16, 16, E5M2, E5M2, F16, F16);
  test(k32_e5m2_e5m2_f32, 16, 32, E5M2, E5M2, F32, F32);
  test(k32_e5m2_e5m2_f16, 16, 32, E5M2, E5M2, F16, F16);
  return check::finish("mma_fp8");
}
