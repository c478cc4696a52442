/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by the exponentials of float: x = n ln2 + r, |r| <= ln2 / 2, with n read from
 * the bits of a sum with 1.5 * 2^23 (no conversion), r by Cody and Waite's method
 * (Software Manual for the Elementary Functions, 1980), and a minimax polynomial (Remez;
 * sollya/exp_f32.sollya makes one as good).
 */
#ifndef HET_DEVICELIB_EXP_F32_H
#define HET_DEVICELIB_EXP_F32_H
#include "math.h"

#define SHIFTER32 0x1.8p23f

/* Keeps n in the range of scale32; a NaN stays. */
HET_LOCAL float clamp32(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/* The integer nearest to a number below 2^22 that had SHIFTER32 added. */
HET_LOCAL i32 shiftedInteger32(float shifted) {
  return (i32)(bits32(shifted) - bits32(SHIFTER32));
}

struct Split32 {
  float r, nLow; /* nLow: r's last addend, n times what ln2's first part lacks */
  float near;    /* r less nLow, exact */
  i32 n;
  float shifted; /* SHIFTER32 + n */
};

/* x = n ln2 + r. */
HET_LOCAL struct Split32 splitByLn2(float x) {
  float shifted = fma32(x, 0x1.715476p0f, SHIFTER32);
  float n = shifted - SHIFTER32;
  struct Split32 s;
  s.near = fma32(n, -0x1.62e43p-1f, x);
  s.nLow = n * 0x1.05c61p-29f;
  s.r = fma32(n, 0x1.05c61p-29f, s.near);
  s.n = shiftedInteger32(shifted);
  s.shifted = shifted;
  return s;
}

/* y 2^n, shifted = SHIFTER32 + n, where it and y are normal numbers: the shifter's own
 * bits leave. */
HET_LOCAL float scaleNormal32(float y, float shifted) {
  return float32(bits32(y) + (bits32(shifted) << 23));
}

/* (exp(r) - 1 - r) / r^2, |r| <= 0.348. */
HET_LOCAL float expTail32(float r) {
  float p = 0x1.6ae84ep-10f;
  p = fma32(p, r, 0x1.1240e4p-7f);
  p = fma32(p, r, 0x1.555842p-5f);
  p = fma32(p, r, 0x1.555488p-3f);
  return fma32(p, r, 0x1.fffffcp-2f);
}

/*
 * y 2^n with one rounding, n any number of [-252, 252], y near 1; 0 or infinity where x
 * is beyond the bounds, whatever n is. A NaN in y stays.
 */
HET_LOCAL float scaleFar32(float y, float shifted, float x, float low, float high) {
  y = scale32(y, shiftedInteger32(shifted));
  y = x > high ? INF32 : y;
  return x < low ? 0.0f : y;
}

/* exp(r), |r| <= 0.348. */
HET_LOCAL float expNear0(float r) {
  float p = expTail32(r);
  p = fma32(p, r, 1.0f);
  return fma32(p, r, 1.0f);
}

/* 2^r, |r| <= 1/2. */
HET_LOCAL float exp2Near0(float r) {
  float p = 0x1.18c20cp-13f;
  p = fma32(p, r, 0x1.5ef6a8p-10f);
  p = fma32(p, r, 0x1.3b671ap-7f);
  p = fma32(p, r, 0x1.c6af9cp-5f);
  p = fma32(p, r, 0x1.ebfb94p-3f);
  p = fma32(p, r, 0x1.62e43p-1f);
  return fma32(p, r, 1.0f);
}

#endif
