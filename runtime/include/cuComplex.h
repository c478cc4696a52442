// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers as C structures: cuFloatComplex, cuDoubleComplex, cuComplex.

#ifndef HET_CUCOMPLEX_H
#define HET_CUCOMPLEX_H
#define CU_COMPLEX_H_

#include "vector_types.h"
#ifndef __CUDACC_RTC__
#include <math.h>
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HET_COMPLEX static __inline__ __host__ __device__

// type: the complex type, real: its parts, f: the suffix of its names, m: the
// suffix of libm's functions, huge: the largest finite number. Division scales
// by the larger part of the divisor, the modulus by the larger part, so that
// neither overflows early.
#define HET_COMPLEX_FUNCTIONS(type, real, f, m, huge)                                    \
  HET_COMPLEX real cuCreal##f(type x) { return x.x; }                                    \
  HET_COMPLEX real cuCimag##f(type x) { return x.y; }                                    \
  HET_COMPLEX type cuConj##f(type x) {                                                   \
    type r = {x.x, -x.y};                                                                \
    return r;                                                                            \
  }                                                                                      \
  HET_COMPLEX type cuCadd##f(type x, type y) {                                           \
    type r = {x.x + y.x, x.y + y.y};                                                     \
    return r;                                                                            \
  }                                                                                      \
  HET_COMPLEX type cuCsub##f(type x, type y) {                                           \
    type r = {x.x - y.x, x.y - y.y};                                                     \
    return r;                                                                            \
  }                                                                                      \
  HET_COMPLEX type cuCmul##f(type x, type y) {                                           \
    type r = {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                             \
    return r;                                                                            \
  }                                                                                      \
  HET_COMPLEX type cuCdiv##f(type x, type y) {                                           \
    real s = fabs##m(y.x) + fabs##m(y.y);                                                \
    real o = (real)1 / s;                                                                \
    real a = x.x * o, b = x.y * o, c = y.x * o, d = y.y * o;                             \
    s = c * c + d * d;                                                                   \
    o = (real)1 / s;                                                                     \
    type r = {(a * c + b * d) * o, (b * c - a * d) * o};                                 \
    return r;                                                                            \
  }                                                                                      \
  HET_COMPLEX type cuCfma##f(type x, type y, type d) {                                   \
    real a = x.x * y.x + d.x, b = x.y * y.x + d.y;                                       \
    type r = {a - x.y * y.y, b + x.x * y.y};                                             \
    return r;                                                                            \
  }                                                                                      \
  HET_COMPLEX real cuCabs##f(type x) {                                                   \
    real a = fabs##m(x.x), b = fabs##m(x.y);                                             \
    real v = a > b ? a : b, w = a > b ? b : a;                                           \
    real t = w / v;                                                                      \
    t = v * sqrt##m((real)1 + t * t);                                                    \
    return v == 0 || v > huge || w > huge ? v + w : t;                                   \
  }

HET_COMPLEX_FUNCTIONS(cuFloatComplex, float, f, f, 3.402823466e38f)
HET_COMPLEX_FUNCTIONS(cuDoubleComplex, double, , , 1.79769313486231570e+308)
#undef HET_COMPLEX_FUNCTIONS

HET_COMPLEX cuFloatComplex make_cuFloatComplex(float r, float i) {
  cuFloatComplex c = {r, i};
  return c;
}
HET_COMPLEX cuDoubleComplex make_cuDoubleComplex(double r, double i) {
  cuDoubleComplex c = {r, i};
  return c;
}
HET_COMPLEX cuComplex make_cuComplex(float r, float i) {
  return make_cuFloatComplex(r, i);
}
HET_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) {
  return make_cuDoubleComplex((double)c.x, (double)c.y);
}
HET_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
  return make_cuFloatComplex((float)c.x, (float)c.y);
}

#undef HET_COMPLEX

#endif // HET_CUCOMPLEX_H
