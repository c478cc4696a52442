/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the exponentials of float share: x = n ln2 + r, |r| <= ln2 / 2, with n read from the
 * bits of a sum with 1.5 * 2^23 (no conversion), r by Cody and Waite's method (Software
 * Manual for the Elementary Functions, 1980), and a minimax polynomial
 * (Remez; sollya/exp_f32.sollya makes one as good).
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
  return s;
}

/* (exp(r) - 1 - r) / r^2, |r| <= 0.348. */
HET_LOCAL float expTail32(float r) {
  float p = 0x1.6ae84ep-10f;
  p = fma32(p, r, 0x1.1240e4p-7f);
  p = fma32(p, r, 0x1.555842p-5f);
  p = fma32(p, r, 0x1.555488p-3f);
  return fma32(p, r, 0x1.fffffcp-2f);
}

#endif
