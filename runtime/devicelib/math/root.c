/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reciprocal roots and Euclidean norms. Norms scale by a power of two taken from the
 * largest part, so that no square over- or underflows, and sum squares with fused
 * multiply-adds.
 */
#include "inverse_f32.h"
#include "inverse_f64.h"

/* Rounded to nearest (all numbers). Devices with approximations begin with theirs. */
HET_MATH float __het_rsqrt_f32(float x) {
  struct Root32 root = firstRoot32(x);
  float y = nearestRoot32(x, finishRoot32(root.first, root.error));
  if (RARE(!(abs32(root.error) < 0.07f))) {
    /* Not a normal positive number. */
    float scaled = x * 0x1p24f;
    y = nearestRoot32(scaled, inverseRoot32(scaled)) * 0x1p12f;
    y = x == 0.0f ? sign32(INF32, x) : y;
    y = x == INF32 ? 0.0f : x < 0.0f ? NAN32 : y;
  }
  return y;
}
/* Error: 1 ULP. */
HET_MATH double __het_rsqrt_f64(double x) {
  struct Root64 root = roughInverseRoot64(x);
  double y = finishRoot64(x, 0, root.y);
  if (RARE(!isBelow64(root.error, 0x1.08p-9))) {
    /* Not a normal positive number. */
    double scaled = x * 0x1p54;
    y = finishRoot64(scaled, 0, roughInverseRoot64(scaled).y) * 0x1p27;
    y = x == 0.0 ? sign64(INF64, x) : y;
    y = x == INF64 ? 0.0 : x < 0.0 ? NAN64 : y;
  }
  return y;
}

/* The largest part's power of two, as a factor and its inverse; 1 for 0, infinite, NaN. */
HET_LOCAL double scaleFor64(double largest) {
  u64 e = bits64(largest) >> 52;
  e = e < 2 ? 2 : e > 2044 ? 2044 : e;
  return isFinite64(largest) ? float64((2046ull - e) << 52) : 1.0;
}

/* An infinite part makes an infinite norm, also beside a NaN. */
struct Norm64 {
  double scale, largest, sum, low;
  int infinite;
};

HET_LOCAL struct Norm64 largest64(struct Norm64 n, double x) {
  x = abs64(x);
  n.infinite |= x == INF64;
  n.largest = x > n.largest ? x : n.largest;
  return n;
}
/* sum + low += (x scale)^2 in nearly twice the precision. */
HET_LOCAL struct Norm64 square64(struct Norm64 n, double x) {
  x *= n.scale;
  double p = x * x, e = fma64(x, x, -p);
  double s = n.sum + p, t = s - n.sum;
  n.low += ((n.sum - (s - t)) + (p - t)) + e;
  n.sum = s;
  return n;
}
/* sqrt(sum + low) by one correction of sqrt(sum). */
HET_LOCAL double root64(struct Norm64 n) {
  double s = n.sum + n.low;
  double r = sqrt64(s);
  double rest = fma64(-r, r, n.sum) + n.low;
  return s > 0 ? r + rest / (r + r) : r;
}
HET_LOCAL double norm64(struct Norm64 n) {
  return n.infinite ? INF64 : root64(n) / n.scale;
}
HET_LOCAL double inverse64(struct Norm64 n) {
  double y = 1.0 / root64(n);
  double p = n.sum * y, low = fma64(n.sum, y, -p) + n.low * y;
  double residual = fma64(-low, y, fma64(-p, y, 1.0));
  y = n.sum > 0 ? fma64(y * 0.5, residual, y) : y;
  return n.infinite ? 0 : n.scale * y;
}

HET_LOCAL struct Norm64 of64(double a, double b, double c, double d) {
  struct Norm64 n = {1, 0, 0, 0, 0};
  n = largest64(largest64(largest64(largest64(n, a), b), c), d);
  n.scale = scaleFor64(n.largest);
  return square64(square64(square64(square64(n, a), b), c), d);
}
HET_MATH double __het_norm3d_f64(double a, double b, double c) {
  return norm64(of64(a, b, c, 0));
}
HET_MATH double __het_rnorm3d_f64(double a, double b, double c) {
  return inverse64(of64(a, b, c, 0));
}
HET_MATH double __het_norm4d_f64(double a, double b, double c, double d) {
  return norm64(of64(a, b, c, d));
}
HET_MATH double __het_rnorm4d_f64(double a, double b, double c, double d) {
  return inverse64(of64(a, b, c, d));
}

/* The larger of two numbers whose norm is taken is scaled to [1, 2), a subnormal one below. */
struct Pair64 {
  double large, small, scale, inverse;
  int infinite;
};
HET_LOCAL struct Pair64 pair64(double a, double b) {
  a = abs64(a);
  b = abs64(b);
  struct Pair64 p;
  p.large = a > b ? a : b;
  p.small = a > b ? b : a;
  u32 e = (u32)(bits64(p.large) >> 32) & 0x7ff00000u;
  e = e < 0x00200000u ? 0x00200000u : e > 0x7fc00000u ? 0x7fc00000u : e;
  p.inverse = float64((u64)e << 32);
  p.scale = float64((u64)(0x7fe00000u - e) << 32);
  p.large *= p.scale;
  p.small *= p.scale;
  p.infinite = a == INF64 || b == INF64;
  return p;
}
HET_MATH double __het_hypot_f64(double a, double b) {
  struct Pair64 p = pair64(a, b);
  double y = sqrt64(fma64(p.small, p.small, p.large * p.large)) * p.inverse;
  return p.infinite ? INF64 : y;
}
HET_MATH double __het_rhypot_f64(double a, double b) {
  struct Pair64 p = pair64(a, b);
  double square = p.large * p.large, sum = fma64(p.small, p.small, square);
  double low = fma64(p.small, p.small, square - sum) + fma64(p.large, p.large, -square);
  double y = finishRoot64(sum, low, roughInverseRoot64(sum).y) * p.scale;
  y = sum == 0.0 ? INF64 : y;
  return p.infinite ? 0.0 : y;
}

/*
 * The norms of float: scaled alike, the squares summed with one rounding each.
 */
struct Sum32 {
  float sum; /* of (part scale)^2 */
  float scale, inverse;
  int infinite;
};

/* The scale brings the largest part to [2, 4), a subnormal one below. */
HET_LOCAL struct Sum32 scaleFor32(float largest) {
  u32 e = bits32(largest) & 0x7f800000u;
  e = e < 0x01000000u ? 0x01000000u : e;
  struct Sum32 r;
  r.sum = 0.0f;
  r.inverse = float32(e - 0x00800000u);
  r.scale = float32(0x7f800000u - e);
  r.infinite = largest == INF32;
  return r;
}
HET_LOCAL struct Sum32 sumOf32(float a, float b, float c, float d) {
  float ab = larger32(abs32(a), abs32(b)), cd = larger32(abs32(c), abs32(d));
  struct Sum32 r = scaleFor32(larger32(ab, cd));
  a *= r.scale, b *= r.scale, c *= r.scale, d *= r.scale;
  r.sum = fma32(d, d, fma32(c, c, fma32(b, b, a * a)));
  return r;
}
HET_LOCAL float norm32(struct Sum32 s) {
  return s.infinite ? INF32 : sqrt32(s.sum) * s.inverse;
}
/* Where the sum is 0, the factors' product is beyond 2^128. */
HET_LOCAL float inverseNorm32(struct Sum32 s) {
  float y = inverseRoot32(s.sum) * s.scale;
  return s.infinite ? 0.0f : y;
}

/* The sum of the squares of two numbers, scaled. */
HET_LOCAL struct Sum32 pairSum32(float a, float b) {
  struct Sum32 r = scaleFor32(larger32(abs32(a), abs32(b)));
  a *= r.scale, b *= r.scale;
  r.sum = fma32(a, a, b * b);
  return r;
}
HET_MATH float __het_hypot_f32(float a, float b) { return norm32(pairSum32(a, b)); }
HET_MATH float __het_rhypot_f32(float a, float b) {
  return inverseNorm32(pairSum32(a, b));
}
HET_MATH float __het_norm3d_f32(float a, float b, float c) {
  return norm32(sumOf32(a, b, c, 0));
}
HET_MATH float __het_rnorm3d_f32(float a, float b, float c) {
  return inverseNorm32(sumOf32(a, b, c, 0));
}
HET_MATH float __het_norm4d_f32(float a, float b, float c, float d) {
  return norm32(sumOf32(a, b, c, d));
}
HET_MATH float __het_rnorm4d_f32(float a, float b, float c, float d) {
  return inverseNorm32(sumOf32(a, b, c, d));
}
