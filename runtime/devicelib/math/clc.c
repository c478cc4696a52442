/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions taken from libclc, the OpenCL C library of the LLVM project: those that were
 * measured to be accurate (docs/results/math.md) and that this library has no faster form
 * of. OpenCL's names are mangled: f is float, d double, i int.
 */
#include "math.h"

#define ONE(name, length)                                                            \
  float _Z##length##name##f(float);                                                  \
  double _Z##length##name##d(double);                                                \
  HET_MATH float __het_##name##_f32(float x) { return _Z##length##name##f(x); }      \
  HET_MATH double __het_##name##_f64(double x) { return _Z##length##name##d(x); }
#define ONE_F32(name, length)                                                        \
  float _Z##length##name##f(float);                                                  \
  HET_MATH float __het_##name##_f32(float x) { return _Z##length##name##f(x); }
#define ONE_F64(name, length)                                                        \
  double _Z##length##name##d(double);                                                \
  HET_MATH double __het_##name##_f64(double x) { return _Z##length##name##d(x); }
#define TWO(name, length)                                                            \
  float _Z##length##name##ff(float, float);                                          \
  double _Z##length##name##dd(double, double);                                       \
  HET_MATH float __het_##name##_f32(float x, float y) {                              \
    return _Z##length##name##ff(x, y);                                               \
  }                                                                                  \
  HET_MATH double __het_##name##_f64(double x, double y) {                           \
    return _Z##length##name##dd(x, y);                                               \
  }

ONE(tan, 3)
ONE(log1p, 5)
ONE(asinh, 5)
ONE(acosh, 5)
ONE(atanh, 5)
ONE(asin, 4)
ONE(acos, 4)
ONE(atan, 4)
ONE_F64(sinpi, 5)
ONE_F64(cospi, 5)
ONE(tanpi, 5)
ONE(cbrt, 4)
ONE(erf, 3)
TWO(atan2, 5)
ONE_F64(sin, 3)
ONE_F64(cos, 3)
