/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * log, log2, log10, log1p of float: see log_f32.h. log2 and log10 have polynomials of their
 * own; the product of f with log2(e) or log10(e) is added without loss, fused, to k's part.
 * Branch-free, without conversions but that of the exponent.
 */
#include "log_f32.h"

/* What a logarithm is outside of the positive finite numbers. */
HET_LOCAL float special(float x, float y) {
  float z = x == 0.0f ? -INF32 : NAN32;
  z = x == INF32 ? x : z;
  return x > 0.0f && x < INF32 ? y : z;
}

/* Error: 0.82 ULP (all numbers). */
HET_MATH float __het_log_f32(float x) {
  struct Log32 r = logReduce32(x);
  return special(x, logSum32(r.k, r.f, 0.0f));
}

/* k + low + f (c + p), |k| > |f c| where k is not 0. */
HET_LOCAL float join(float k, float low, float f, float c, float p) {
  float sum = fma32(f, c, k);
  float lost = fma32(f, c, k - sum);
  return sum + fma32(p, f, lost + low);
}

/* Error: 1.01 ULP (all numbers). */
HET_MATH float __het_log2_f32(float x) {
  struct Log32 r = logReduce32(x);
  float f = r.f;
  float p = -0x1.79e618p-3f;
  p = fma32(p, f, 0x1.9675c6p-3f);
  p = fma32(p, f, -0x1.68e512p-3f);
  p = fma32(p, f, 0x1.9f40a2p-3f);
  p = fma32(p, f, -0x1.ecc2d4p-3f);
  p = fma32(p, f, 0x1.27927p-2f);
  p = fma32(p, f, -0x1.715414p-2f);
  p = fma32(p, f, 0x1.ec7062p-2f);
  p = fma32(p, f, -0x1.715476p-1f);
  p = fma32(p, f, 0x1.4ae0cp-26f);
  return special(x, join(r.k, 0.0f, f, 0x1.715476p0f, p));
}

/* Error: 1.13 ULP (all numbers). */
HET_MATH float __het_log10_f32(float x) {
  struct Log32 r = logReduce32(x);
  float f = r.f;
  float p = -0x1.d34bb6p-5f;
  p = fma32(p, f, 0x1.e979f2p-5f);
  p = fma32(p, f, -0x1.af7fdap-5f);
  p = fma32(p, f, 0x1.f400cp-5f);
  p = fma32(p, f, -0x1.28cc8ep-4f);
  p = fma32(p, f, 0x1.63e79p-4f);
  p = fma32(p, f, -0x1.bcb63ap-4f);
  p = fma32(p, f, 0x1.287a52p-3f);
  p = fma32(p, f, -0x1.bcb7b2p-3f);
  p = fma32(p, f, -0x1.5b235ep-27f);
  return special(x, join(r.k * 0x1.344p-2f, r.k * 0x1.3509f8p-18f, f, 0x1.bcb7b2p-2f, p));
}

/* Error: 0.90 ULP (all numbers). */
HET_MATH float __het_log1p_f32(float x) {
  float y = logOnePlus32(x, 0.0f);
  y = x > -1.0f && x < INF32 ? sign32(y, x) : x == INF32 ? x : NAN32;
  return x == -1.0f ? -INF32 : y;
}
