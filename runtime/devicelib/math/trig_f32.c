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

/* Error: 1.52 ULP (all numbers). */
HET_MATH float __het_cos_f32(float x) {
  struct Reduced reduced = reduce(x);
  return sineOf(reduced.r, reduced.quadrant + 1u);
}

/*
 * Both, the cosine in the upper half: for a target with branches, where the two functions
 * would each have the one of the reduction, and could not share what follows it.
 */
HET_MATH u64 __het_sincos_f32(float x) {
  struct Reduced reduced = reduce(x);
  float sine = sineOf(reduced.r, reduced.quadrant);
  float cosine = sineOf(reduced.r, reduced.quadrant + 1u);
  return (u64)bits32(cosine) << 32 | bits32(sine);
}

/* Error: 3.05 ULP (all numbers). */
HET_MATH float __het_tan_f32(float x) {
  struct Reduced reduced = reduce(x);
  float r = reduced.r, s = r * r;
  /* In pairs, for the chain of operations is long on a host. */
  float s2 = s * s;
  float high = fma32(0x1.33e5f6p-7f, s, 0x1.968d84p-9f);
  float middle = fma32(0x1.907232p-6f, s, 0x1.b58524p-5f);
  float low = fma32(0x1.112deap-3f, s, 0x1.5554dep-2f);
  float p = fma32(fma32(high, s2, middle), s2, low);
  float tangent = fma32(p, s * r, r);
  /* tan(r + pi/2) = -1 / tan(r). */
  float turned = -inverse32(tangent);
  return reduced.quadrant & 1u ? turned : tangent;
}
