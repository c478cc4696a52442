/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * 1/x and 1/sqrt(x) of float where the last bit does not matter: a first value from the
 * number's bits taken as an integer (Blinn, IEEE Computer Graphics and Applications 17,
 * 1997), one step of Newton's method with its constants fitted to the first value's error
 * (Moroz et al., arXiv:1603.04483), one of the third order (Householder); for the root a
 * polynomial of the first value's error (sollya/first_values.py). Integer and fused
 * operations only: no division, no special cases, so no branch on any device.
 */
#ifndef HET_DEVICELIB_INVERSE_F32_H
#define HET_DEVICELIB_INVERSE_F32_H
#include "math.h"

/* Within 0.0016 of 1/x, 2^-125 < x < 2^125; a NaN stays. */
HET_LOCAL float roughInverse32(float x) {
  float y = float32(0x7ef33000u - bits32(x));
  return y * fma32(-x, y, 2.001f);
}

/* 1/x. Error: 0.6 ULP. */
HET_LOCAL float inverse32(float x) {
  float y = roughInverse32(x);
  float e = fma32(-x, y, 1.0f);
  return fma32(y, fma32(e, e, e), y);
}

/* n / x, its remainder made good. Error: 0.51 ULP. */
HET_LOCAL float quotient32(float n, float x) {
  float y = inverse32(x), q = n * y;
  return fma32(fma32(-q, x, n), y, q);
}

/*
 * 1/sqrt(x) as y0 + y0 e Q(e), e = x y0^2 - 1, from a first value y0: Q is a minimax
 * polynomial. |e| < 0.07 where x is positive and normal, and where it is enough.
 */
struct Root32 {
  float first, root, error; /* y0, x y0, e */
};
HET_LOCAL struct Root32 firstRoot32(float x) {
  struct Root32 r;
  r.first = float32(0x5f375000u - (bits32(x) >> 1));
  r.root = x * r.first;
  r.error = fma32(r.root, r.first, -1.0f);
  return r;
}
/* first / sqrt(1 + e). */
HET_LOCAL float finishRoot32(float first, float e) {
  float q = 0x1.19234ep-2f;
  q = fma32(q, e, -0x1.41785ap-2f);
  q = fma32(q, e, 0x1.7fffb8p-2f);
  q = fma32(q, e, -0x1.ffff9p-2f);
  return fma32(first * e, q, first);
}
/*
 * The float nearest to 1/sqrt(x), from one within 2^-22.63 of it: y (1 + e/2 + 3/8 e^2)
 * with the exact residual e = 1 - x y^2. Tried for all positive normal numbers.
 */
HET_LOCAL float nearestRoot32(float x, float y) {
  float root = x * y, low = fma32(x, y, -root);
  float e = fma32(-low, y, fma32(-root, y, 1.0f));
  return fma32(0.5f * y, fma32(0.75f * e, e, e), y);
}
/* 0 <= x < 2^127 (any number for 0). Error: 1.4 ULP. */
HET_LOCAL float inverseRoot32(float x) {
  struct Root32 r = firstRoot32(x);
  return finishRoot32(r.first, r.error);
}
/* sqrt(x), likewise. */
HET_LOCAL float nearRoot32(float x) {
  struct Root32 r = firstRoot32(x);
  return finishRoot32(r.root, r.error);
}

#endif
