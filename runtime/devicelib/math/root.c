/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reciprocal roots and Euclidean norms. Norms scale by a power of two taken from the
 * largest part, so that no square over- or underflows, and sum squares with fused
 * multiply-adds.
 */
#include "math.h"

/* Two roundings. Error: 1.5 ULP. */
HET_MATH float __het_rsqrt_f32(float x) { return 1.0f / sqrt32(x); }
/* y (1 + (1 - x y y) / 2), with x y in twice the precision. Error: 0.51 ULP. */
HET_MATH double __het_rsqrt_f64(double x) {
  int tiny = x < 0x1p-900;
  double scaled = tiny ? x * 0x1p600 : x;
  double y = 1.0 / sqrt64(scaled);
  double product = scaled * y, low = fma64(scaled, y, -product);
  double residual = fma64(-low, y, fma64(-product, y, 1.0));
  double refined = fma64(y * 0.5, residual, y);
  y = x > 0 && x < INF64 ? refined : y;
  return tiny ? y * 0x1p300 : y;
}

/* The largest part's power of two, as a factor and its inverse; 1 for 0, infinite, NaN. */
HET_LOCAL float scaleFor32(float largest) {
  u32 e = bits32(largest) >> 23;
  e = e < 2 ? 2 : e > 252 ? 252 : e;
  return isFinite32(largest) ? float32((254u - e) << 23) : 1.0f;
}
HET_LOCAL double scaleFor64(double largest) {
  u64 e = bits64(largest) >> 52;
  e = e < 2 ? 2 : e > 2044 ? 2044 : e;
  return isFinite64(largest) ? float64((2046ull - e) << 52) : 1.0;
}

/* An infinite part makes an infinite norm, also beside a NaN. */
struct Norm32 {
  float scale, largest, sum, low;
  int infinite;
};
struct Norm64 {
  double scale, largest, sum, low;
  int infinite;
};

HET_LOCAL struct Norm32 largest32(struct Norm32 n, float x) {
  x = abs32(x);
  n.infinite |= x == INF32;
  n.largest = x > n.largest ? x : n.largest;
  return n;
}
HET_LOCAL struct Norm64 largest64(struct Norm64 n, double x) {
  x = abs64(x);
  n.infinite |= x == INF64;
  n.largest = x > n.largest ? x : n.largest;
  return n;
}
/* sum + low += (x scale)^2 in nearly twice the precision. */
HET_LOCAL struct Norm32 square32(struct Norm32 n, float x) {
  x *= n.scale;
  float p = x * x, e = fma32(x, x, -p);
  float s = n.sum + p, t = s - n.sum;
  n.low += ((n.sum - (s - t)) + (p - t)) + e;
  n.sum = s;
  return n;
}
HET_LOCAL struct Norm64 square64(struct Norm64 n, double x) {
  x *= n.scale;
  double p = x * x, e = fma64(x, x, -p);
  double s = n.sum + p, t = s - n.sum;
  n.low += ((n.sum - (s - t)) + (p - t)) + e;
  n.sum = s;
  return n;
}
/* sqrt(sum + low) by one correction of sqrt(sum). */
HET_LOCAL float root32(struct Norm32 n) {
  float s = n.sum + n.low;
  float r = sqrt32(s);
  float rest = fma32(-r, r, n.sum) + n.low;
  return s > 0 ? r + rest / (r + r) : r;
}
HET_LOCAL double root64(struct Norm64 n) {
  double s = n.sum + n.low;
  double r = sqrt64(s);
  double rest = fma64(-r, r, n.sum) + n.low;
  return s > 0 ? r + rest / (r + r) : r;
}
HET_LOCAL float norm32(struct Norm32 n) {
  return n.infinite ? INF32 : root32(n) / n.scale;
}
HET_LOCAL double norm64(struct Norm64 n) {
  return n.infinite ? INF64 : root64(n) / n.scale;
}
HET_LOCAL float inverse32(struct Norm32 n) {
  float y = 1.0f / root32(n);
  float p = n.sum * y, low = fma32(n.sum, y, -p) + n.low * y;
  float residual = fma32(-low, y, fma32(-p, y, 1.0f));
  y = n.sum > 0 ? fma32(y * 0.5f, residual, y) : y;
  return n.infinite ? 0 : n.scale * y;
}
HET_LOCAL double inverse64(struct Norm64 n) {
  double y = 1.0 / root64(n);
  double p = n.sum * y, low = fma64(n.sum, y, -p) + n.low * y;
  double residual = fma64(-low, y, fma64(-p, y, 1.0));
  y = n.sum > 0 ? fma64(y * 0.5, residual, y) : y;
  return n.infinite ? 0 : n.scale * y;
}

#define PARTS(bits, type)                                                            \
  HET_LOCAL struct Norm##bits of##bits(type a, type b, type c, type d) {             \
    struct Norm##bits n = {1, 0, 0, 0, 0};                                           \
    n = largest##bits(largest##bits(largest##bits(largest##bits(n, a), b), c), d);   \
    n.scale = scaleFor##bits(n.largest);                                             \
    return square##bits(square##bits(square##bits(square##bits(n, a), b), c), d);    \
  }                                                                                  \
  HET_MATH type __het_rhypot_f##bits(type a, type b) {                               \
    return inverse##bits(of##bits(a, b, 0, 0));                                      \
  }                                                                                  \
  HET_MATH type __het_norm3d_f##bits(type a, type b, type c) {                       \
    return norm##bits(of##bits(a, b, c, 0));                                         \
  }                                                                                  \
  HET_MATH type __het_rnorm3d_f##bits(type a, type b, type c) {                      \
    return inverse##bits(of##bits(a, b, c, 0));                                      \
  }                                                                                  \
  HET_MATH type __het_norm4d_f##bits(type a, type b, type c, type d) {               \
    return norm##bits(of##bits(a, b, c, d));                                         \
  }                                                                                  \
  HET_MATH type __het_rnorm4d_f##bits(type a, type b, type c, type d) {              \
    return inverse##bits(of##bits(a, b, c, d));                                      \
  }

PARTS(32, float)
PARTS(64, double)

HET_MATH double __het_hypot_f64(double a, double b) {
  return norm64(of64(a, b, 0, 0));
}

/* Scaled as above, the squares summed with one rounding each. */
HET_MATH float __het_hypot_f32(float a, float b) {
  a = abs32(a);
  b = abs32(b);
  float large = a > b ? a : b, small = a > b ? b : a;
  u32 e = bits32(large) >> 23;
  e = e < 2 ? 2 : e > 252 ? 252 : e;
  float scale = float32((254u - e) << 23);
  large *= scale;
  small *= scale;
  float y = sqrt32(fma32(large, large, small * small)) * float32(e << 23);
  return a == INF32 || b == INF32 ? INF32 : y;
}
