/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asin and acos of double: see asin_f32.c. Polynomial: sollya/double.sollya. Branch-free.
 */
#include "math.h"

#define HALF_PI_HIGH 0x1.921fb54442d18p0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

struct Arc {
  double s, tail; /* asin(s) = s + tail */
  int large;
};

HET_LOCAL struct Arc arc(double a) {
  struct Arc r;
  r.large = a > 0.5;
  double z = r.large ? fma64(a, -0.5, 0.5) : a * a;
  r.s = r.large ? sqrt64(z) : a;
  double p = 0x1.d1ca8p-6;
  p = fma64(p, z, -0x1.d5f72p-7);
  p = fma64(p, z, 0x1.176ep-6);
  p = fma64(p, z, 0x1.6e7afp-8);
  p = fma64(p, z, 0x1.512c9p-7);
  p = fma64(p, z, 0x1.78532p-7);
  p = fma64(p, z, 0x1.c9ca4p-7);
  p = fma64(p, z, 0x1.1c4d6p-6);
  p = fma64(p, z, 0x1.6e8bbp-6);
  p = fma64(p, z, 0x1.f1c71c283748cp-6);
  p = fma64(p, z, 0x1.6db6db6e251acp-5);
  p = fma64(p, z, 0x1.3333333332ecap-4);
  p = fma64(p, z, 0x1.5555555555556p-3);
  r.tail = p * z * r.s;
  return r;
}

/* Error: 1.75 ULP (100,000 numbers). */
HET_MATH double __het_asin_f64(double x) {
  struct Arc r = arc(abs64(x));
  double y = fma64(-2.0, r.s, HALF_PI_HIGH) + fma64(-2.0, r.tail, HALF_PI_LOW);
  return sign64(r.large ? y : r.s + r.tail, x);
}

/* Error: 1.03 ULP (100,000 numbers). */
HET_MATH double __het_acos_f64(double x) {
  struct Arc r = arc(abs64(x));
  double small = r.s + r.tail;
  double whole = r.large ? small + small : -sign64(small, x);
  double high = r.large ? 2.0 * HALF_PI_HIGH : HALF_PI_HIGH;
  double low = r.large ? 2.0 * HALF_PI_LOW : HALF_PI_LOW;
  double y = high + ((r.large ? -whole : whole) + low);
  return r.large && x > 0.0 ? whole : y;
}
