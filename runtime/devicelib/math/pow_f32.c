/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pow of float: 2^(y log2|x|). With |x| = 2^k (1 + f), s = f / (2 + f) and atanh's series,
 * log2|x| = k + 2 log2(e) (s + s^3 A(s^2)); all but the last term is carried as hi + lo
 * (products by fused multiply-adds, sums by Dekker's method), A is a minimax polynomial
 * (sollya/log_f32.sollya). Special cases are C's (ISO C, F.10.4.4). Branch-free, one
 * division.
 */
#include "exp_f32.h"

struct Pair32 {
  float high, low;
};

/* log2 of a positive finite number; relative error 2^-30. */
HET_LOCAL struct Pair32 log2Pair(float x) {
  int tiny = x < 0x1p-126f;
  u32 bits = bits32(tiny ? x * 0x1p24f : x);
  i32 exponent = (i32)(bits - 0x3f3504f3u) >> 23;
  float f = float32(bits - ((u32)exponent << 23)) - 1.0f;
  float k = (float)(exponent - (tiny ? 24 : 0));
  float divisor = 2.0f + f, divisorLow = f - (divisor - 2.0f);
  float inverse = 1.0f / divisor;
  float s = f * inverse;
  float rest = fma32(-s, divisorLow, fma32(-s, divisor, f));
  float sLow = rest * inverse;
  float z = s * s;
  float p = 0x1.559bep-2f;
  p = fma32(p, z, 0x1.a5f254p-2f);
  p = fma32(p, z, 0x1.2776b2p-1f);
  p = fma32(p, z, 0x1.ec709ep-1f);
  float product = s * 0x1.715476p1f;
  float low = fma32(s, 0x1.715476p1f, -product);
  low = fma32(s, 0x1.4ae0cp-25f, fma32(sLow, 0x1.715476p1f, low));
  low = fma32(p * z, s, low);
  float sum = k + product;
  low += product - (sum - k);
  struct Pair32 r;
  r.high = sum + low;
  r.low = low - (r.high - sum);
  return r;
}

/* 2^(x + low). */
HET_LOCAL float exp2Pair(float x, float low) {
  float shifted = x + SHIFTER32;
  float r = (x - (shifted - SHIFTER32)) + low;
  float p = 0x1.18c20cp-13f;
  p = fma32(p, r, 0x1.5ef6a8p-10f);
  p = fma32(p, r, 0x1.3b671ap-7f);
  p = fma32(p, r, 0x1.c6af9cp-5f);
  p = fma32(p, r, 0x1.ebfb94p-3f);
  p = fma32(p, r, 0x1.62e43p-1f);
  return scale32(fma32(p, r, 1.0f), shiftedInteger32(shifted));
}

/* Error: 1.2 ULP. */
HET_MATH float __het_pow_f32(float x, float y) {
  float a = abs32(x);
  struct Pair32 log = log2Pair(a);
  float product = y * log.high;
  float low = fma32(y, log.low, fma32(y, log.high, -product));
  float bounded = clamp32(product, -160.0f, 160.0f);
  float r = exp2Pair(bounded, bounded == product ? low : 0.0f);
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
