/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sinpi, cospi and tanpi of float: see trigpi_f32.h.
 */
#include "trigpi_f32.h"

/* Error: 1 ULP (all numbers). */
HET_MATH float __het_sinpi_f32(float x) { return sineIn(turn(x), x); }
HET_MATH float __het_cospi_f32(float x) { return cosineIn(turn(x)); }

/* The signs of zeros and infinities follow from those of sinpi and cospi. */
HET_MATH float __het_tanpi_f32(float x) {
  struct Turn32 t = turn(x);
  return sineIn(t, x) / cosineIn(t);
}
