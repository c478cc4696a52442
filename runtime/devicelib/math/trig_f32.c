/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sin, cos and tan of float: see trig_f32.h.
 */
#include "inverse_f32.h"
#include "trig_f32.h"

/* Error: 1.95 ULP (all numbers). */
HET_MATH float __het_sin_f32(float x) {
  struct Reduced reduced = reduce(x);
  return sineOf(reduced.r, reduced.quadrant);
}

/* Error: 1.51 ULP (all numbers). */
HET_MATH float __het_cos_f32(float x) {
  struct Reduced reduced = reduce(x);
  return sineOf(reduced.r, reduced.quadrant + 1u);
}

/* Error: 3.47 ULP (all numbers). */
HET_MATH float __het_tan_f32(float x) {
  struct Reduced reduced = reduce(x);
  float s = reduced.r * reduced.r;
  float sine = sineNear0(reduced.r, s), cosine = cosineNear0(s);
  int odd = reduced.quadrant & 1u;
  float y = sign32(quotient32(odd ? cosine : sine, odd ? sine : cosine), reduced.r);
  return float32(bits32(y) ^ reduced.quadrant << 31);
}
