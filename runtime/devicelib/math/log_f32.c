/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * log, log2, log10 of float: x = 2^k (1 + f), 2/3 <= 1 + f < 4/3, log(1 + f) =
 * f - f^2/2 + f^3 p(f) with a minimax polynomial p (Remez). log2 and log10 multiply by
 * log2(e) and log10(e) in twice the precision. Branch-free, without conversions but that
 * of the exponent.
 */
#include "math.h"

struct Reduced {
  float k, f;
};

HET_LOCAL struct Reduced reduce(float x) {
  int tiny = x < 0x1p-126f;
  u32 bits = bits32(tiny ? x * 0x1p24f : x);
  u32 twoThirds = 0x3f2aaaabu;
  i32 k = (i32)(bits - twoThirds) >> 23;
  struct Reduced r;
  r.f = float32(bits - ((u32)k << 23)) - 1.0f;
  r.k = (float)(k - (tiny ? 24 : 0));
  return r;
}

/* log(1 + f) - f. */
HET_LOCAL float logTail(float f) {
  float p = 0x1.e03a84p-4f;
  p = fma32(p, f, -0x1.07deeep-3f);
  p = fma32(p, f, 0x1.bb48c8p-4f);
  p = fma32(p, f, -0x1.f3352ep-4f);
  p = fma32(p, f, 0x1.24d7b2p-3f);
  p = fma32(p, f, -0x1.559bb4p-3f);
  p = fma32(p, f, 0x1.99985ep-3f);
  p = fma32(p, f, -0x1.ffff02p-3f);
  p = fma32(p, f, 0x1.555556p-2f);
  p = fma32(p, f, -0.5f);
  return p * (f * f);
}

/* What a logarithm is outside of the positive finite numbers. */
HET_LOCAL float special(float x, float y) {
  y = x == INF32 ? INF32 : y;
  y = x == 0.0f ? -INF32 : y;
  return x < 0.0f || isNan32(x) ? NAN32 : y;
}

/* Error: 0.83 ULP. */
HET_MATH float __het_log_f32(float x) {
  struct Reduced r = reduce(x);
  float tail = fma32(r.k, -0x1.05c61p-29f, logTail(r.f));
  /* k ln2 + f in twice the precision: k ln2 is the larger wherever k != 0. */
  float high = fma32(r.k, 0x1.62e43p-1f, r.f);
  float lost = r.f - fma32(r.k, -0x1.62e43p-1f, high);
  return special(x, high + (tail + lost));
}

/* (k * kHigh) + (k * kLow) + (log(1 + f)) * (high + low), where k * kHigh is exact. */
HET_LOCAL float scaled(struct Reduced r, float kHigh, float kLow, float high,
                       float low) {
  float tail = logTail(r.f);
  float product = r.f * high;
  float rest = fma32(r.f, high, -product);
  rest = fma32(tail, high, fma32(r.f, low, rest));
  rest = fma32(r.k, kLow, rest);
  float k = r.k * kHigh;
  float sum = k + product;
  return sum + ((product - (sum - k)) + rest);
}

/* Error: 0.60 ULP. */
HET_MATH float __het_log2_f32(float x) {
  return special(x, scaled(reduce(x), 1.0f, 0.0f, 0x1.715476p0f, 0x1.4ae0cp-26f));
}

/* Error: 0.60 ULP. */
HET_MATH float __het_log10_f32(float x) {
  return special(x, scaled(reduce(x), 0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcb7b2p-2f,
                           -0x1.5b235ep-27f));
}
