/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pow of float: 2^(y log2|x|), see pow_f32.h. Special cases are C's (ISO C, F.10.4.4), behind
 * a branch.
 */
#include "pow_f32.h"

/* The special cases; r is |x|^y where it is a number, neither 0, infinite nor NaN. */
HET_LOCAL float powSpecial(float x, float y, float r) {
  float a = abs32(x);
  float limit = (a > 1.0f) == (y > 0.0f) ? INF32 : 0.0f;
  r = a == 0.0f || a == INF32 || abs32(y) == INF32 ? limit : r;
  float half = y * 0.5f;
  int integer = y == rint32(y), odd = integer & (half != rint32(half));
  r = float32(bits32(r) ^ (odd ? bits32(x) & 0x80000000u : 0u));
  r = x < 0.0f && a < INF32 && !integer ? NAN32 : r;
  r = a == 1.0f && abs32(y) == INF32 ? 1.0f : r;
  r = isNan32(x) || isNan32(y) ? NAN32 : r;
  return x == 1.0f || y == 0.0f ? 1.0f : r;
}

/* Error: 1.2 ULP. */
HET_MATH float __het_pow_f32(float x, float y) {
  struct Pair32 log = log2Pair(abs32(x));
  float product = y * log.high;
  float low = fma32(y, log.low, fma32(y, log.high, -product));
  float shifted = product + SHIFTER32;
  float p = exp2Near0((product - (shifted - SHIFTER32)) + low);
  float r = scaleNormal32(p, shifted);
  if (RARE(!(abs32(product) < 126.0f) || bits32(x) - 1u >= 0x7f7fffffu)) {
    r = scaleFar32(p, shifted, product, -151.0f, 128.5f);
    r = powSpecial(x, y, r);
  }
  return r;
}
