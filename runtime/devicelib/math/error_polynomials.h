/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of error.c: minimax (Remez exchange), coefficients rounded to double.
 */
#ifndef HET_DEVICELIB_ERROR_POLYNOMIALS_H
#define HET_DEVICELIB_ERROR_POLYNOMIALS_H
#include "math.h"

/* (4 + z) erfcx(z), x = (z - 4) / (z + 4), z >= 0. */
HET_LOCAL double erfcxMapped(double x) {
  double p = -0x1.631d3p-33;
  p = fma64(p, x, 0x1.535e1p-30);
  p = fma64(p, x, 0x1.4645dp-30);
  p = fma64(p, x, -0x1.08f95p-26);
  p = fma64(p, x, -0x1.91973p-30);
  p = fma64(p, x, 0x1.07e04p-23);
  p = fma64(p, x, -0x1.386d5p-24);
  p = fma64(p, x, -0x1.c52ep-21);
  p = fma64(p, x, 0x1.7dbd3p-20);
  p = fma64(p, x, 0x1.3aed1p-18);
  p = fma64(p, x, -0x1.3c6a5598ac9d8p-16);
  p = fma64(p, x, -0x1.e7cd2f7b9db44p-19);
  p = fma64(p, x, 0x1.72cd776804915p-13);
  p = fma64(p, x, -0x1.dd285569c9563p-12);
  p = fma64(p, x, -0x1.269b4cc850dc9p-12);
  p = fma64(p, x, 0x1.908f475103eaep-8);
  p = fma64(p, x, -0x1.b00c052f1e6ddp-6);
  p = fma64(p, x, 0x1.38dbd2c89cc63p-4);
  p = fma64(p, x, -0x1.645fd8a4b543fp-3);
  p = fma64(p, x, 0x1.52cac23710e1p-2);
  p = fma64(p, x, -0x1.14eacb1ad040fp-1);
  p = fma64(p, x, 0x1.8be202d26c6f6p-1);
  p = fma64(p, x, -0x1.f3fe31ecb49bep-1);
  p = fma64(p, x, 0x1.18932bf08e154p0);
  return p;
}

/* erfinv(x), |x| <= 1/2. */
HET_LOCAL double inverseNear0(double x) {
  double s = x * x;
  double p = 0x1.d05ap-4;
  p = fma64(p, s, -0x1.3917bp-4);
  p = fma64(p, s, 0x1.2dec2p-4);
  p = fma64(p, s, 0x1.1131p-7);
  p = fma64(p, s, 0x1.030d5p-5);
  p = fma64(p, s, 0x1.fe326p-6);
  p = fma64(p, s, 0x1.2b33ap-5);
  p = fma64(p, s, 0x1.5ee253c76a6bp-5);
  p = fma64(p, s, 0x1.a7c8c99613f2dp-5);
  p = fma64(p, s, 0x1.0a131700aaa7p-4);
  p = fma64(p, s, 0x1.62847c4d13be9p-4);
  p = fma64(p, s, 0x1.053c2c0abf981p-3);
  p = fma64(p, s, 0x1.db29fb2fee291p-3);
  p = fma64(p, s, 0x1.c5bf891b4ef6bp-1);
  return p * x;
}

/* -log(erfc(a)) to 2^-54 / erfc(a), t = a - 5/2, 1 <= a <= 6. */
HET_LOCAL double minusLogErfc(double t) {
  double p = -0x1.293e7p-36;
  p = fma64(p, t, -0x1.d0deap-35);
  p = fma64(p, t, 0x1.1f16fp-32);
  p = fma64(p, t, -0x1.3dcp-31);
  p = fma64(p, t, 0x1.daf97p-29);
  p = fma64(p, t, -0x1.8eafcp-27);
  p = fma64(p, t, 0x1.a2a8p-27);
  p = fma64(p, t, 0x1.501f9p-23);
  p = fma64(p, t, -0x1.daaa8e06a7c4dp-20);
  p = fma64(p, t, 0x1.ac03d4ae2f81dp-17);
  p = fma64(p, t, -0x1.43178ee14a8a2p-14);
  p = fma64(p, t, 0x1.b96130c5df0ap-12);
  p = fma64(p, t, -0x1.1bd5589efe2cep-9);
  p = fma64(p, t, 0x1.63cc1db5b85dp-7);
  p = fma64(p, t, 0x1.e3460a18c9a2bp-1);
  p = fma64(p, t, 0x1.56925248da621p2);
  p = fma64(p, t, 0x1.f3a2dc8691b48p2);
  return p;
}

/* |erfinv(x)| / sqrt(w) to 2^-22, x = 1 / sqrt(w), w = -log(1 - x^2), 5 <= w < 746. */
HET_LOCAL float inverseFar(float x) {
  float p = 0x1.c5971ep7f;
  p = fma32(p, x, -0x1.0b4766p9f);
  p = fma32(p, x, 0x1.126092p9f);
  p = fma32(p, x, -0x1.44f39p8f);
  p = fma32(p, x, 0x1.f19da4p6f);
  p = fma32(p, x, -0x1.0cbc5cp5f);
  p = fma32(p, x, 0x1.dfb8bap2f);
  p = fma32(p, x, -0x1.70b6ep0f);
  p = fma32(p, x, -0x1.219c08p-6f);
  p = fma32(p, x, 0x1.000842p0f);
  return p;
}

/* erfinv(x) / x to 2^-24, w <= 5, of x = w - 2.35 (error_inverse_f32.c). */
HET_LOCAL float inverseMiddle(float x) {
  float p = -0x1.2e5f3ap-27f;
  p = fma32(p, x, 0x1.2d792p-25f);
  p = fma32(p, x, 0x1.cf1fecp-22f);
  p = fma32(p, x, -0x1.081242p-18f);
  p = fma32(p, x, -0x1.b633f6p-20f);
  p = fma32(p, x, 0x1.cf2484p-13f);
  p = fma32(p, x, -0x1.6af862p-10f);
  p = fma32(p, x, -0x1.d5c43ep-9f);
  p = fma32(p, x, 0x1.fb81b4p-3f);
  p = fma32(p, x, 0x1.76ddeap0f);
  return p;
}

#endif
