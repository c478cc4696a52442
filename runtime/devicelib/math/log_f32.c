/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * log, log2, log10, log1p of float: see log_f32.h. log2 and log10 have polynomials of their
 * own; the product of f with log2(e) or log10(e), as hi + lo, is fused into the sum.
 * Branch-free but for log1p's special cases.
 */
#include "log_f32.h"

/* Error: 0.82 ULP (all numbers). */
HET_MATH float __het_log_f32(float x) {
  struct Log32 r = logReduce32(x, TWO_THIRDS32);
  return logSpecial32(r, fma32(r.k, LN2_HIGH32, logNear1(r.f)));
}

/* Error: 1.01 ULP (all numbers). */
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

/* Error: 1.13 ULP (all numbers). */
HET_MATH float __het_log10_f32(float x) {
  struct Log32 r = logReduce32(x, ROOT_HALF32);
  float f = r.f;
  float p = -0x1.0f276ap-5f;
  p = fma32(p, f, 0x1.cb7b2p-5f);
  p = fma32(p, f, -0x1.d75e4ap-5f);
  p = fma32(p, f, 0x1.f88106p-5f);
  p = fma32(p, f, -0x1.276f5ep-4f);
  p = fma32(p, f, 0x1.63cf5p-4f);
  p = fma32(p, f, -0x1.bcbf2ap-4f);
  p = fma32(p, f, 0x1.287a72p-3f);
  p = fma32(p, f, -0x1.bcb7aap-3f);
  p = fma32(p, f, -0x1.5c805cp-27f);
  float y = fma32(f, 0x1.bcb7b2p-2f, fma32(p, f, r.k * -0x1.ec10cp-27f));
  return logSpecial32(r, fma32(r.k, 0x1.344136p-2f, y));
}

/* Error: 0.90 ULP (all numbers). */
HET_MATH float __het_log1p_f32(float x) {
  float y = sign32(logOnePlus32(x, 0), x);
  float u = 1.0f + x;
  if (RARE(bits32(u) - 1u >= 0x7f7fffffu)) {
    y = u == INF32 ? INF32 : NAN32;
    y = u == 0.0f ? -INF32 : y;
  }
  return y;
}
