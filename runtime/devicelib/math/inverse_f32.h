/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * 1/x and 1/sqrt(x) of float where the last bit does not matter: a first value from the
 * number's bits taken as an integer (Blinn, IEEE Computer Graphics and Applications 17,
 * 1997), one step of Newton's method with its constants fitted to the first value's error
 * (Moroz et al., arXiv:1603.04483), one of the third order (Householder). Integer and fused
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

/* Within 0.0011 of 1/sqrt(x), x positive and normal. */
HET_LOCAL float roughInverseRoot32(float x) {
  float y = float32(0x5f0b3c00u - (bits32(x) >> 1));
  return y * fma32(-(x * y), y, 1.891f);
}

/* 1/sqrt(x), 0 <= x < 2^127 (any number for 0). Error: 1 ULP. */
HET_LOCAL float inverseRoot32(float x) {
  float y = roughInverseRoot32(x);
  float e = fma32(-(x * y), y, 1.0f);
  return fma32(y * e, fma32(e, 0.375f, 0.5f), y);
}

#endif
