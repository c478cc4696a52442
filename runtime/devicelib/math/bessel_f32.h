/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of bessel_f32.c: minimax, of float coefficients (sollya/special_f32.py).
 */
#ifndef HET_DEVICELIB_BESSEL_F32_H
#define HET_DEVICELIB_BESSEL_F32_H
#include "math.h"

/* j0 over (x^2 - zero^2), t = x^2 - 8, x < 4; over (x - zero), t = x - 6, x < 8. */
HET_LOCAL float j0Low(float t) {
  float p = -0x1.1969d2p-39f;
  p = fma32(p, t, 0x1.8795aap-32f);
  p = fma32(p, t, -0x1.a48d8ap-25f);
  p = fma32(p, t, 0x1.33fa96p-18f);
  p = fma32(p, t, -0x1.17059cp-12f);
  p = fma32(p, t, 0x1.08d902p-7f);
  p = fma32(p, t, -0x1.6b2948p-4f);
  return p;
}
HET_LOCAL float j0High(float t) {
  float p = -0x1.ebc2fep-29f;
  p = fma32(p, t, -0x1.b787f8p-25f);
  p = fma32(p, t, 0x1.9f71d8p-22f);
  p = fma32(p, t, 0x1.527dacp-18f);
  p = fma32(p, t, -0x1.10b5p-15f);
  p = fma32(p, t, -0x1.3082a4p-12f);
  p = fma32(p, t, 0x1.bb3ca2p-10f);
  p = fma32(p, t, 0x1.1561b2p-7f);
  p = fma32(p, t, -0x1.63c788p-5f);
  p = fma32(p, t, -0x1.3d9704p-4f);
  p = fma32(p, t, 0x1.416dcap-2f);
  return p;
}

/* j1 over x (x^2 - zero^2), and over (x - zero), alike. */
HET_LOCAL float j1Low(float t) {
  float p = -0x1.edd36ep-45f;
  p = fma32(p, t, 0x1.c139d4p-36f);
  p = fma32(p, t, -0x1.172802p-28f);
  p = fma32(p, t, 0x1.e848f6p-22f);
  p = fma32(p, t, -0x1.1332c8p-15f);
  p = fma32(p, t, 0x1.5910c8p-10f);
  p = fma32(p, t, -0x1.5aedeep-6f);
  return p;
}
HET_LOCAL float j1High(float t) {
  float p = -0x1.93af3cp-29f;
  p = fma32(p, t, 0x1.7c051p-26f);
  p = fma32(p, t, 0x1.29f27ep-21f);
  p = fma32(p, t, -0x1.56ee04p-19f);
  p = fma32(p, t, -0x1.73f0a4p-15f);
  p = fma32(p, t, 0x1.5a3d9ap-13f);
  p = fma32(p, t, 0x1.069612p-9f);
  p = fma32(p, t, -0x1.76fe6ep-8f);
  p = fma32(p, t, -0x1.5f92d4p-5f);
  p = fma32(p, t, 0x1.31387cp-4f);
  p = fma32(p, t, 0x1.16f9d8p-2f);
  return p;
}

/* y0 without its logarithm, over t = x^2, x < 1/2; over the zeros that count, t from the
 * middle. */
HET_LOCAL float y0Tiny(float t) {
  float p = 0x1.079a98p-11f;
  p = fma32(p, t, -0x1.e8e92ap-7f);
  p = fma32(p, t, 0x1.45f306p-3f);
  return p;
}
HET_LOCAL float y0Half(float t) {
  float p = 0x1.0483d8p0f;
  p = fma32(p, t, -0x1.a25f58p-1f);
  p = fma32(p, t, 0x1.21219ap-1f);
  p = fma32(p, t, -0x1.ff7bbep-2f);
  p = fma32(p, t, 0x1.d22accp-2f);
  p = fma32(p, t, -0x1.a369b4p-2f);
  p = fma32(p, t, 0x1.691e5p-2f);
  p = fma32(p, t, -0x1.251ff6p-1f);
  p = fma32(p, t, 0x1.e92996p-1f);
  return p;
}
HET_LOCAL float y0One(float t) {
  float p = -0x1.0a41f2p-9f;
  p = fma32(p, t, 0x1.b40e5ap-9f);
  p = fma32(p, t, -0x1.360366p-8f);
  p = fma32(p, t, 0x1.05e662p-7f);
  p = fma32(p, t, -0x1.cfc3dcp-7f);
  p = fma32(p, t, 0x1.9495d8p-6f);
  p = fma32(p, t, -0x1.c9939cp-6f);
  p = fma32(p, t, 0x1.a84fd4p-5f);
  p = fma32(p, t, -0x1.70b648p-2f);
  p = fma32(p, t, 0x1.42e656p-1f);
  return p;
}
HET_LOCAL float y0Two(float t) {
  float p = 0x1.d88a9ep-19f;
  p = fma32(p, t, -0x1.2e39dap-17f);
  p = fma32(p, t, 0x1.5316d2p-14f);
  p = fma32(p, t, -0x1.82997p-13f);
  p = fma32(p, t, -0x1.2a67f6p-9f);
  p = fma32(p, t, 0x1.2a008ep-9f);
  p = fma32(p, t, 0x1.0b0fdep-4f);
  p = fma32(p, t, -0x1.26622ep-4f);
  p = fma32(p, t, -0x1.92f2a2p-2f);
  return p;
}
HET_LOCAL float y0Four(float t) {
  float p = -0x1.1cb542p-28f;
  p = fma32(p, t, 0x1.193b0ep-25f);
  p = fma32(p, t, 0x1.1b258p-21f);
  p = fma32(p, t, -0x1.04bed6p-18f);
  p = fma32(p, t, -0x1.3c4d8ap-15f);
  p = fma32(p, t, 0x1.0e867p-12f);
  p = fma32(p, t, 0x1.935638p-10f);
  p = fma32(p, t, -0x1.3d23d8p-7f);
  p = fma32(p, t, -0x1.76f4acp-6f);
  p = fma32(p, t, 0x1.0a1914p-3f);
  return p;
}

/* y1 without its logarithm and pole, over x, t = x^2, x < 1; over the zero, t from the
 * middle. */
HET_LOCAL float y1Tiny(float t) {
  float p = 0x1.13c87ep-14f;
  p = fma32(p, t, -0x1.6a027cp-9f);
  p = fma32(p, t, 0x1.976f48p-5f);
  p = fma32(p, t, -0x1.45f306p-3f);
  return p;
}
HET_LOCAL float y1One(float t) {
  float p = -0x1.bd6154p-8f;
  p = fma32(p, t, 0x1.49b2a6p-7f);
  p = fma32(p, t, -0x1.5b65c8p-7f);
  p = fma32(p, t, 0x1.02c482p-6f);
  p = fma32(p, t, -0x1.91d00ep-6f);
  p = fma32(p, t, 0x1.3dbd2ep-5f);
  p = fma32(p, t, -0x1.b70676p-5f);
  p = fma32(p, t, 0x1.d8a2c8p-7f);
  p = fma32(p, t, -0x1.83275p-4f);
  p = fma32(p, t, 0x1.2ecf9ap-1f);
  return p;
}
HET_LOCAL float y1Two(float t) {
  float p = -0x1.df6886p-18f;
  p = fma32(p, t, 0x1.5baap-16f);
  p = fma32(p, t, -0x1.10975p-15f);
  p = fma32(p, t, 0x1.894afap-14f);
  p = fma32(p, t, -0x1.777056p-11f);
  p = fma32(p, t, 0x1.1c4444p-9f);
  p = fma32(p, t, 0x1.1f3d96p-7f);
  p = fma32(p, t, -0x1.975032p-6f);
  p = fma32(p, t, -0x1.5a573ap-3f);
  p = fma32(p, t, 0x1.9e1a82p-2f);
  return p;
}
HET_LOCAL float y1Four(float t) {
  float p = -0x1.41fb7p-34f;
  p = fma32(p, t, 0x1.80474p-25f);
  p = fma32(p, t, -0x1.4d38cp-22f);
  p = fma32(p, t, -0x1.4a4468p-18f);
  p = fma32(p, t, 0x1.fe5b08p-16f);
  p = fma32(p, t, 0x1.265e48p-12f);
  p = fma32(p, t, -0x1.9497eep-10f);
  p = fma32(p, t, -0x1.155cb6p-7f);
  p = fma32(p, t, 0x1.4739a4p-5f);
  p = fma32(p, t, 0x1.579152p-4f);
  p = fma32(p, t, -0x1.3a3a8cp-2f);
  return p;
}

/* Hankel's two factors for the orders 0 and 1, the second times x, w = 1 / x^2, x >= 8.
 */
HET_LOCAL float p0(float w) {
  float p = 0x1.9b40a2p-4f;
  p = fma32(p, w, -0x1.1fb8c2p-4f);
  p = fma32(p, w, 0x1.fffffep-1f);
  return p;
}
HET_LOCAL float q0(float w) {
  float p = -0x1.8e7d78p-3f;
  p = fma32(p, w, 0x1.2b4828p-4f);
  p = fma32(p, w, -0x1.ffffdap-4f);
  return p;
}
HET_LOCAL float p1(float w) {
  float p = -0x1.074986p-3f;
  p = fma32(p, w, 0x1.df8e8p-4f);
  p = fma32(p, w, 0x1.000002p0f);
  return p;
}
HET_LOCAL float q1(float w) {
  float p = 0x1.ea829p-3f;
  p = fma32(p, w, -0x1.a324b2p-4f);
  p = fma32(p, w, 0x1.7ffff4p-2f);
  return p;
}

#endif
