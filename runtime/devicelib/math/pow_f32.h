/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The two halves of pow of float, for tgamma too: log2 as hi + lo, and 2^r. With
 * x = 2^k (1 + f), s = f / (2 + f) and atanh's series, log2(x) = k + 2 log2(e) (s + s^3
 * A(s^2)); all but the last term is carried as hi + lo (products by fused multiply-adds,
 * sums by Dekker's method), A is a minimax polynomial (sollya/log_f32.sollya). No
 * division.
 */
#ifndef HET_DEVICELIB_POW_F32_H
#define HET_DEVICELIB_POW_F32_H
#include "exp_f32.h"
#include "inverse_f32.h"

struct Pair32 {
  float high, low;
};

/* log2 of a positive finite number; relative error 2^-30. */
HET_LOCAL struct Pair32 log2Pair(float x) {
  int tiny = x < 0x1p-126f;
  u32 bits = bits32(tiny ? x * 0x1p23f : x);
  u32 exponent = (bits - 0x3f3504f3u) & 0xff800000u;
  float f = float32(bits - exponent) - 1.0f;
  float k = fma32((float)(i32)exponent, 0x1p-23f, tiny ? -23.0f : 0.0f);
  float divisor = 2.0f + f, divisorLow = f - (divisor - 2.0f);
  float inverse = inverse32(divisor);
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

#endif
