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

/* erfinv(z) / z to 2^-29, x = z^2, z <= 1/2. */
HET_LOCAL double inverseNear0(double x) {
  double p = 0x1.a0756f9c8c581p-4;
  p = fma64(p, x, 0x1.b87f351e5aaacp-6);
  p = fma64(p, x, 0x1.1db61c7e21b79p-4);
  p = fma64(p, x, 0x1.60a20406a3665p-4);
  p = fma64(p, x, 0x1.0547077b99cebp-3);
  p = fma64(p, x, 0x1.db29cca541319p-3);
  p = fma64(p, x, 0x1.c5bf892369e8bp-1);
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
