/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * tgamma and lgamma of float. Below 3 minimax polynomials and the recurrence gamma(x + 1) =
 * x gamma(x); above, Stirling's series, for tgamma with its exponent as hi + lo; negative
 * arguments by reflection, gamma(-a) = -pi / (sin(pi a) a gamma(a)) (Abramowitz and Stegun
 * 6.1.17, 6.1.37). Polynomials: sollya/special_f32.py.
 */
#include "pow_f32.h"
#include "trigpi_f32.h"

#define PI32 0x1.921fb6p1f

float __het_log_f32(float);

/* gamma(2 + t), 0 <= t < 1. */
HET_LOCAL float gammaNear2(float t) {
  float p = -0x1.4168eap-18f;
  p = fma32(p, t, 0x1.abf404p-11f);
  p = fma32(p, t, -0x1.a6c168p-10f);
  p = fma32(p, t, 0x1.539f08p-7f);
  p = fma32(p, t, 0x1.e5d19ap-15f);
  p = fma32(p, t, 0x1.2fc896p-4f);
  p = fma32(p, t, 0x1.4e307ap-4f);
  p = fma32(p, t, 0x1.a5b93cp-2f);
  p = fma32(p, t, 0x1.b0ee62p-2f);
  p = fma32(p, t, 1.0f);
  return p;
}

/* gamma(a), 2^-100 <= a < 3. */
HET_LOCAL float gammaSmall(float a) {
  float t = a < 1.0f ? a : a < 2.0f ? a - 1.0f : a - 2.0f;
  float d = a < 1.0f ? fma32(a, a, a) : a < 2.0f ? a : 1.0f;
  return quotient32(gammaNear2(t), d);
}

struct Scaled32 {
  float y;
  i32 n; /* y 2^n */
};

/* gamma(a), 3 <= a < 50: 2^((a - 1/2) log2(a) - a log2(e)) times a polynomial of 1/a. */
HET_LOCAL struct Scaled32 gammaLarge(float a) {
  struct Pair32 log = log2Pair(a);
  float h = a - 0.5f;
  float first = h * log.high, firstLow = fma32(h, log.high, -first);
  firstLow = fma32(h, log.low, firstLow);
  float last = a * 0x1.715476p0f, lastLow = fma32(a, 0x1.715476p0f, -last);
  lastLow = fma32(a, 0x1.4ae0cp-26f, lastLow);
  float sum = first - last, part = sum - first;
  float low = (first - (sum - part)) - (last + part);
  low += firstLow - lastLow;
  float shifted = sum + SHIFTER32;
  float r = (sum - (shifted - SHIFTER32)) + low;
  float v = inverse32(a);
  float p = 0x1.b7b8d6p-11f;
  p = fma32(p, v, -0x1.d08cp-8f);
  p = fma32(p, v, 0x1.1e75dp-7f);
  p = fma32(p, v, 0x1.abcb98p-3f);
  p = fma32(p, v, 0x1.40d932p1f);
  struct Scaled32 s = {exp2Near0(r) * p, shiftedInteger32(shifted)};
  return s;
}

/* gamma(-a), from gamma(a). */
HET_LOCAL struct Scaled32 reflect(float a, struct Scaled32 s) {
  float sine = sineIn(turn(a), a);
  struct Scaled32 r = {-quotient32(PI32, sine * (a * s.y)), -s.n};
  r.y = sine == 0.0f ? NAN32 : r.y;
  return r;
}

/* Error: 4 ULP (all numbers). */
HET_MATH float __het_tgamma_f32(float x) {
  float a = abs32(x);
  struct Scaled32 s;
  if (a < 3.0f) {
    s.y = gammaSmall(a);
    s.n = 0;
  } else {
    s = gammaLarge(a > 44.0f ? 44.0f : a);
  }
  if (x < 0.0f)
    s = reflect(a, s);
  float y = scale32(s.y, s.n);
  /* Factorials below 2^20, exactly. */
  y = x >= 3.0f && x <= 10.0f && x == rint32(x) ? rint32(y) : y;
  y = x > 36.0f ? INF32 : y;
  if (RARE(a < 0x1p-100f))
    y = 1.0f / x;
  return isNan32(x) ? x : y;
}

/* lgamma(1 + t) / (t (t - 1)) of u = t - 1, |u| <= 1. */
HET_LOCAL float logGammaBetween(float u) {
  float p = 0x1.ee40dep-17f;
  p = fma32(p, u, -0x1.3b36bp-15f);
  p = fma32(p, u, 0x1.22f4c2p-15f);
  p = fma32(p, u, -0x1.d40f96p-15f);
  p = fma32(p, u, 0x1.763844p-13f);
  p = fma32(p, u, -0x1.ba68b6p-12f);
  p = fma32(p, u, 0x1.e28d02p-11f);
  p = fma32(p, u, -0x1.13c19cp-9f);
  p = fma32(p, u, 0x1.47788ap-8f);
  p = fma32(p, u, -0x1.95d18p-7f);
  p = fma32(p, u, 0x1.0e0d1ep-5f);
  p = fma32(p, u, -0x1.9ae65p-4f);
  p = fma32(p, u, 0x1.b0ee6p-2f);
  return p;
}

/* lgamma(1 + a), a < 1, or lgamma(a). */
HET_LOCAL float logGamma(float a, float logarithm) {
  float t = a < 1.0f ? a : a - 1.0f, u = t - 1.0f;
  float small = t * u * logGammaBetween(u);
  float v = inverse32(a > 0x1p60f ? 0x1p60f : a), s = v * v;
  float p = 0x1.73dep-11f;
  p = fma32(p, s, -0x1.6ba77cp-9f);
  p = fma32(p, s, 0x1.55555p-4f);
  float large = fma32(a - 0.5f, logarithm - 1.0f, fma32(p, v, 0x1.acfe3ap-2f));
  return a < 3.0f ? small : large;
}

/* Error: 5 ULP, outside of (-40, -2.26) (all numbers). */
HET_MATH float __het_lgamma_f32(float x) {
  float a = abs32(x), log = __het_log_f32(a);
  float y = logGamma(a, log);
  if (x < 0.0f) {
    /* log(pi / (sin(pi a) a gamma(a))); a gamma(a) is gamma(1 + a). */
    float sine = abs32(sineIn(turn(a), a));
    float product = a < 1.0f ? sine : sine * a;
    y = (0x1.250d04p0f - __het_log_f32(product)) - y;
    y = a < 0x1p-30f ? -log : y;
    y = sine == 0.0f || a == INF32 ? INF32 : y;
  } else {
    /* A zero is positive. */
    y = (a < 1.0f ? y - log : y) + 0.0f;
  }
  return y;
}
