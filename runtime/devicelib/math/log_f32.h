/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the logarithms of float share: x = 2^k (1 + f), 2/3 <= 1 + f < 4/3, and log(1 + f) =
 * f + f^2 p(f) with a minimax polynomial p (sollya/log_f32.sollya).
 */
#ifndef HET_DEVICELIB_LOG_F32_H
#define HET_DEVICELIB_LOG_F32_H
#include "math.h"

#define LN2_HIGH32 0x1.62e43p-1f
#define LN2_LOW32 -0x1.05c61p-29f

struct Log32 {
  float k, f;
};

HET_LOCAL struct Log32 logReduce32(float x) {
  int tiny = x < 0x1p-126f;
  u32 bits = bits32(tiny ? x * 0x1p24f : x);
  i32 k = (i32)(bits - 0x3f2aaaabu) >> 23;
  struct Log32 r;
  r.f = float32(bits - ((u32)k << 23)) - 1.0f;
  r.k = (float)(k - (tiny ? 24 : 0));
  return r;
}

/* (log(1 + f) - f) / f^2. */
HET_LOCAL float logTail32(float f) {
  float p = 0x1.f62072p-4f;
  p = fma32(p, f, -0x1.036ba6p-3f);
  p = fma32(p, f, 0x1.b5e70cp-4f);
  p = fma32(p, f, -0x1.f534a8p-4f);
  p = fma32(p, f, 0x1.251082p-3f);
  p = fma32(p, f, -0x1.5589dcp-3f);
  p = fma32(p, f, 0x1.99969ap-3f);
  p = fma32(p, f, -0x1.ffff62p-3f);
  p = fma32(p, f, 0x1.555558p-2f);
  return fma32(p, f, -0.5f);
}

/* k ln2 + log(1 + f + low): k ln2 is larger than f wherever k != 0. */
HET_LOCAL float logSum32(float k, float f, float low) {
  float high = fma32(k, LN2_HIGH32, f);
  float lost = f - fma32(k, -LN2_HIGH32, high);
  lost = fma32(k, LN2_LOW32, lost + low);
  return high + fma32(f * f, logTail32(f), lost);
}

/* log(1 + v) + extra ln2, v > -1 finite; 1 + v is taken in twice the precision. */
HET_LOCAL float logOnePlus32(float v, float extra) {
  float u = 1.0f + v;
  float low = v - (u - 1.0f);
  i32 k = (i32)(bits32(u) - 0x3f2aaaabu) >> 23;
  float f = float32(bits32(u) - ((u32)k << 23)) - 1.0f;
  float part = low * power2f32(-(k > 64 ? 64 : k));
  float sum = f + part;
  /* The derivative at 1 + f is nearly 1 - f. */
  float lost = part - (sum - f);
  return logSum32((float)k + extra, sum, fma32(-f, lost, lost));
}

#endif
