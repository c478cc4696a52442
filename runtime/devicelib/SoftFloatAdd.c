/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sums and differences. The smaller number is shifted to the larger one's exponent behind
 * ten (seven) further bits: where digits are lost by that, at most one cancels.
 */
#include "SoftFloatParts.h"

uint64_t __het_soft_add_f64(uint64_t a, uint64_t b) {
  i32 swaps = size64(a) < size64(b);
  u64 large = swaps ? b : a, small = swaps ? a : b;
  i32 differ = (i32)((a ^ b) >> 63);
  i32 exponent = exponent64(large);
  u64 x = fraction64(large) << 10;
  u64 y = sticky64(fraction64(small) << 10, (u32)(exponent - exponent64(small)));
  u64 sum = x + (differ ? -y : y);
  u32 up = zeros64(sum | 1);
  u64 result = round64(large & SIGN64, exponent + 1 - (i32)up, sum << up);
  result = sum ? result : a & b & SIGN64;
  if (RARE(field64(large) == 2047)) {
    i32 isNan = isNan64(large) || (differ && size64(small) == INF64);
    result = isNan ? large | QUIET64 : large;
  }
  return result;
}

uint32_t __het_soft_add_f32(uint32_t a, uint32_t b) {
  i32 swaps = size32(a) < size32(b);
  u32 large = swaps ? b : a, small = swaps ? a : b;
  i32 differ = (i32)((a ^ b) >> 31);
  i32 exponent = exponent32(large);
  u32 x = fraction32(large) << 7;
  u32 y = sticky32(fraction32(small) << 7, (u32)(exponent - exponent32(small)));
  u32 sum = x + (differ ? -y : y);
  u32 up = zeros32(sum | 1);
  u32 result = round32(large & SIGN32, exponent + 1 - (i32)up, sum << up);
  result = sum ? result : a & b & SIGN32;
  if (RARE(field32(large) == 255)) {
    i32 isNan = isNan32(large) || (differ && size32(small) == INF32);
    result = isNan ? large | QUIET32 : large;
  }
  return result;
}

uint64_t __het_soft_sub_f64(uint64_t a, uint64_t b) {
  return __het_soft_add_f64(a, b ^ SIGN64);
}
uint32_t __het_soft_sub_f32(uint32_t a, uint32_t b) {
  return __het_soft_add_f32(a, b ^ SIGN32);
}
