/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by the logarithms of float: x = 2^k (1 + f), 2/3 <= 1 + f < 4/3, and log(1 + f)
 * = f + f^2 p(f) with a minimax polynomial p (sollya/log_f32.sollya).
 */
#ifndef HET_DEVICELIB_LOG_F32_H
#define HET_DEVICELIB_LOG_F32_H
#include "math.h"

#define LN2_HIGH32 0x1.62e43p-1f

#define EXPONENT32 0xff800000u   /* the sign's bit and the exponent's */
#define TWO_THIRDS32 0x3f2aaaabu /* the number's bits */
#define ROOT_HALF32 0x3f3504f3u

struct Log32 {
  float f, k;
  u32 bits; /* of x, a subnormal x made normal */
};

/* k is read from a number of k 2^23, so that no shift is needed. least: 1 + f's bits. */
HET_LOCAL struct Log32 logReduce32(float x, u32 least) {
  int tiny = x < 0x1p-126f;
  struct Log32 r;
  r.bits = bits32(tiny ? x * 0x1p23f : x);
  u32 exponent = (r.bits - least) & EXPONENT32;
  r.f = float32(r.bits - exponent) - 1.0f;
  r.k = fma32((float)(i32)exponent, 0x1p-23f, tiny ? -23.0f : 0.0f);
  return r;
}

/* The logarithm of r's number, that of a positive finite one being y. */
HET_LOCAL float logSpecial32(struct Log32 r, float y) {
  float x = float32(r.bits);
  y = r.bits >= 0x7f800000u ? fma32(x, INF32, INF32) : y;
  return x == 0.0f ? -INF32 : y;
}

/* log(1 + f), |f| <= 1/3. */
HET_LOCAL float logNear1(float f) {
  float p = -0x1.06cdfcp-3f;
  p = fma32(p, f, 0x1.1ec6f8p-3f);
  p = fma32(p, f, -0x1.f3a7dep-4f);
  p = fma32(p, f, 0x1.1ec0cep-3f);
  p = fma32(p, f, -0x1.559802p-3f);
  p = fma32(p, f, 0x1.99d1c6p-3f);
  p = fma32(p, f, -0x1.ffff14p-3f);
  p = fma32(p, f, 0x1.555502p-2f);
  p = fma32(p, f, -0.5f);
  return fma32(f * p, f, f);
}

/* log(1 + f), -1/4 <= f <= 1/2; a shorter one (sollya/short_f32.py): 0.4 ULP more. */
HET_LOCAL float logAround1(float f) {
  float p = -0x1.721d3ep-5f;
  p = fma32(p, f, 0x1.ad4188p-4f);
  p = fma32(p, f, -0x1.0db586p-3f);
  p = fma32(p, f, 0x1.28852ep-3f);
  p = fma32(p, f, -0x1.54eb54p-3f);
  p = fma32(p, f, 0x1.9968fp-3f);
  p = fma32(p, f, -0x1.00004ep-2f);
  p = fma32(p, f, 0x1.5555a6p-2f);
  p = fma32(p, f, -0.5f);
  return fma32(f * p, f, f);
}
HET_LOCAL float logShort1(float f) {
  float p = 0x1.bcf2aep-5f;
  p = fma32(p, f, -0x1.ee6782p-4f);
  p = fma32(p, f, 0x1.329334p-3f);
  p = fma32(p, f, -0x1.5867cep-3f);
  p = fma32(p, f, 0x1.992576p-3f);
  p = fma32(p, f, -0x1.ffe06ep-3f);
  p = fma32(p, f, 0x1.5555e2p-2f);
  p = fma32(p, f, -0x1.00001p-1f);
  return fma32(f * p, f, f);
}

/*
 * v > -1 finite: 1 + f = (1 + v) 2^-k in [3/4, 3/2), f formed of v 2^-k and 2^-k - 1,
 * both exact; so is f, unless it is much smaller than its parts' units (Sun's fdlibm, and
 * CUDA, do alike).
 */
struct OnePlus32 {
  float f;
  u32 exponent; /* k 2^23 */
};
HET_LOCAL struct OnePlus32 reduceOnePlus32(float v) {
  struct OnePlus32 r;
  r.exponent = (bits32(1.0f + v) - bits32(0.75f)) & EXPONENT32;
  float scaled = float32(bits32(v) - r.exponent);
  float power = float32(bits32(4.0f) - r.exponent);
  r.f = scaled + fma32(power, 0.25f, -1.0f);
  return r;
}

/* log(1 + v) + extra ln2, by the shorter polynomial. */
HET_LOCAL float logOnePlus32(float v, u32 extra) {
  struct OnePlus32 r = reduceOnePlus32(v);
  float k = (float)(i32)(r.exponent + (extra << 23));
  return fma32(k, LN2_HIGH32 * 0x1p-23f, logShort1(r.f));
}

#endif
