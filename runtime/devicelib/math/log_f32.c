/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * log, log2, log10, log1p of float: see log_f32.h. log2 and log10 have polynomials of their
 * own (log10's: sollya/short_f32.py); the product of f with log2(e) or log10(e), as hi + lo,
 * is fused into the sum. Branch-free.
 */
#include "log_f32.h"

/* Error: 0.93 ULP (all numbers). */
HET_MATH float __het_log_f32(float x) {
  struct Log32 r = logReduce32(x, TWO_THIRDS32);
  return logSpecial32(r, fma32(r.k, LN2_HIGH32, logNear1(r.f)));
}

/* Error: 0.96 ULP (all numbers). */
HET_MATH float __het_log2_f32(float x) {
  struct Log32 r = logReduce32(x, ROOT_HALF32);
  float f = r.f;
  float p = -0x1.c367c8p-4f;
  p = fma32(p, f, 0x1.7e0e4cp-3f);
  p = fma32(p, f, -0x1.877adep-3f);
  p = fma32(p, f, 0x1.a2e68p-3f);
  p = fma32(p, f, -0x1.eab182p-3f);
  p = fma32(p, f, 0x1.277ef4p-2f);
  p = fma32(p, f, -0x1.715ac8p-2f);
  p = fma32(p, f, 0x1.ec7094p-2f);
  p = fma32(p, f, -0x1.71547p-1f);
  p = fma32(p, f, 0x1.4aeae6p-26f);
  return logSpecial32(r, r.k + fma32(f, 0x1.715476p0f, p * f));
}

/* Error: 1.12 ULP (all numbers of its middle range). */
HET_MATH float __het_log10_f32(float x) {
  struct Log32 r = logReduce32(x, ROOT_HALF32);
  float f = r.f;
  float p = 0x1.34d168p-5f;
  p = fma32(p, f, -0x1.fc5c5ap-5f);
  p = fma32(p, f, 0x1.09974p-4f);
  p = fma32(p, f, -0x1.26c986p-4f);
  p = fma32(p, f, 0x1.63112cp-4f);
  p = fma32(p, f, -0x1.bcc022p-4f);
  p = fma32(p, f, 0x1.287c22p-3f);
  p = fma32(p, f, -0x1.bcb7aap-3f);
  p = fma32(p, f, -0x1.3bbd7cp-26f);
  float y = fma32(f, 0x1.bcb7b2p-2f, fma32(p, f, r.k * -0x1.ec10cp-27f));
  return logSpecial32(r, fma32(r.k, 0x1.344136p-2f, y));
}

/* Error: 1.27 ULP (all numbers of its middle range). */
HET_MATH float __het_log1p_f32(float x) {
  struct OnePlus32 r = reduceOnePlus32(x);
  float y = fma32((float)(i32)r.exponent, LN2_HIGH32 * 0x1p-23f, logAround1(r.f));
  y = sign32(y, x);
  y = x < INF32 ? y : x;
  return x < -1.0f ? NAN32 : y;
}
