/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * j0, j1, y0, y1 of float, as in bessel.c: below 8 polynomials with the zeros divided out
 * (and, near 0, the logarithm of the second kind's series); above, Hankel's expansion. Above
 * 8 the absolute error counts, as in CUDA's table.
 */
#include "bessel_f32.h"
#include "inverse_f32.h"
#include "trig_f32.h"

#define TWO_OVER_PI 0x1.45f306p-1f
/* Euler's constant - log(2). */
#define EULER_LOG_2 -0x1.dadb02p-4f
#define INV_SQRT_PI 0x1.20dd76p-1f

float __het_log_f32(float);

/* x - zero, where the zero is high + low. */
HET_LOCAL float fromZero(float x, float high, float low) { return (x - high) - low; }

HET_LOCAL float j0Near(float x) {
  float zero = fromZero(x, 0x1.33d152p1f, 0x1.d2e368p-24f);
  return zero * (x + 0x1.33d152p1f) * j0Low(fma32(x, x, -8.0f));
}
HET_LOCAL float j1Near(float x) {
  float zero = fromZero(x, 0x1.ea7558p1f, -0x1.4a121ep-24f);
  return x * (zero * (x + 0x1.ea7558p1f)) * j1Low(fma32(x, x, -8.0f));
}

/* Parts of the result for x >= 8: sine and cosine, and Hankel's factors over sqrt(pi x).
   */
struct Wave {
  float sine, cosine, p, q;
};
HET_LOCAL struct Wave wave(float x, int order) {
  float root = inverseRoot32(x), inverse = root * root, w = inverse * inverse;
  float scale = INV_SQRT_PI * root;
  struct Reduced reduced = reduce(x);
  struct Wave r;
  r.sine = sineOf(reduced.r, reduced.quadrant);
  r.cosine = sineOf(reduced.r, reduced.quadrant + 1u);
  r.p = scale * (order ? p1(w) : p0(w));
  r.q = scale * inverse * (order ? q1(w) : q0(w));
  return r;
}

/* Error: 9 ULP below 8 (all numbers). */
HET_MATH float __het_j0_f32(float x) {
  float a = abs32(x), y;
  if (a < 4.0f) {
    y = j0Near(a);
  } else if (a < 8.0f) {
    y = fromZero(a, 0x1.6148f6p2f, -0x1.34f46ep-24f) * j0High(a - 6.0f);
  } else {
    struct Wave w = wave(a, 0);
    y = w.p * (w.cosine + w.sine) - w.q * (w.sine - w.cosine);
    y = a == INF32 ? 0.0f : y;
  }
  return y;
}

/* Error: 9 ULP below 8 (all numbers). */
HET_MATH float __het_j1_f32(float x) {
  float a = abs32(x), y;
  if (a < 4.0f) {
    y = j1Near(a);
  } else if (a < 8.0f) {
    y = fromZero(a, 0x1.c0ff6p2f, -0x1.8971b6p-23f) * j1High(a - 6.0f);
  } else {
    struct Wave w = wave(a, 1);
    y = w.p * (w.sine - w.cosine) + w.q * (w.sine + w.cosine);
    y = a == INF32 ? 0.0f : y;
  }
  return x < 0.0f || bits32(x) == 0x80000000u ? -y : y;
}

HET_LOCAL float y0Middle(float x) {
  float first = fromZero(x, 0x1.c982ecp-1f, -0x1.cafa06p-27f);
  if (x < 1.0f)
    return first * y0Half(x - 0.75f);
  if (x < 2.0f)
    return first * y0One(x - 1.5f);
  float second = fromZero(x, 0x1.fa9534p1f, 0x1.b30ad4p-24f);
  if (x < 4.0f)
    return second * y0Two(x - 3.0f);
  return second * fromZero(x, 0x1.c581dcp2f, 0x1.39c84p-24f) * y0Four(x - 6.0f);
}

/* The second kind outside of the positive finite numbers. */
HET_LOCAL float poles(float x, float y) {
  y = x == INF32 ? 0.0f : y;
  y = x > 0.0f ? y : NAN32;
  return x == 0.0f ? -INF32 : y;
}

/* Error: 9 ULP below 8 (all numbers). */
HET_MATH float __het_y0_f32(float x) {
  float y;
  if (x < 0.5f) {
    float logarithm = __het_log_f32(x) + EULER_LOG_2, square = x * x;
    y = fma32(TWO_OVER_PI * logarithm, j0Near(x), square * y0Tiny(square));
  } else if (x < 8.0f) {
    y = y0Middle(x);
  } else {
    struct Wave w = wave(x, 0);
    y = w.p * (w.sine - w.cosine) + w.q * (w.sine + w.cosine);
  }
  return poles(x, y);
}

HET_LOCAL float y1Middle(float x) {
  float first = fromZero(x, 0x1.193beep1f, -0x1.6401b8p-24f);
  if (x < 2.0f)
    return first * y1One(x - 1.5f);
  if (x < 4.0f)
    return first * y1Two(x - 3.0f);
  return fromZero(x, 0x1.5b7fe4p2f, 0x1.d0f606p-23f) * y1Four(x - 6.0f);
}

/* Error: 9 ULP below 8 (all numbers). */
HET_MATH float __het_y1_f32(float x) {
  float y;
  if (x < 1.0f) {
    float logarithm = __het_log_f32(x) + EULER_LOG_2;
    y = fma32(TWO_OVER_PI * logarithm, j1Near(x), x * y1Tiny(x * x));
    y -= TWO_OVER_PI / x;
  } else if (x < 8.0f) {
    y = y1Middle(x);
  } else {
    struct Wave w = wave(x, 1);
    y = w.q * (w.sine - w.cosine) - w.p * (w.sine + w.cosine);
  }
  return poles(x, y);
}
