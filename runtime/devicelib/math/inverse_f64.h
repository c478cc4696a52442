/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * 1/sqrt(x) of double as in inverse_f32.h; the first value is made of the number's upper
 * half alone. A step of Newton's is cut to 21 bits, whose square is exact: so is the
 * error that the last step, of the third order, makes good.
 */
#ifndef HET_DEVICELIB_INVERSE_F64_H
#define HET_DEVICELIB_INVERSE_F64_H
#include "math.h"

struct Root64 {
  double y; /* within 2.2e-6 of 1/sqrt(x), of 21 bits */
  double
      error; /* 1 - x y^2 of a value before, below 0.002 for a positive normal number */
};
HET_LOCAL struct Root64 roughInverseRoot64(double x) {
  double y = float64((u64)(0x5fe16780u - ((u32)(bits64(x) >> 32) >> 1)) << 32);
  y *= fma64(-(x * y), y, 1.891);
  struct Root64 r;
  r.error = fma64(-(x * y), y, 1.0);
  y = fma64(y * 0.5, r.error, y);
  r.y = float64(bits64(y) & 0xffffffff00000000ull);
  return r;
}

/* 1/sqrt(x + low) from a rough y. Error: 0.8 ULP. */
HET_LOCAL double finishRoot64(double x, double low, double y) {
  double square = y * y;
  double e = fma64(-low, square, fma64(-x, square, 1.0));
  return fma64(y * e, fma64(e, 0.375, 0.5), y);
}

#endif
