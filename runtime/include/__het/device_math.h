// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The float overloads that Clang's forward declarations promise and its math
// header does not define, and the classifications that its <cmath> part calls.

#ifndef HET_DEVICE_MATH_H
#define HET_DEVICE_MATH_H

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

#define HET_FLOAT_1(result, name)                                                        \
  HET_INLINE result name(float a) { return ::name##f(a); }
#define HET_FLOAT_2(name)                                                                \
  HET_INLINE float name(float a, float b) { return ::name##f(a, b); }
HET_FLOAT_1(long long, llrint)
HET_FLOAT_1(long long, llround)
HET_FLOAT_1(long, lrint)
HET_FLOAT_1(long, lround)
HET_FLOAT_1(float, nearbyint)
HET_FLOAT_1(float, rint)
HET_FLOAT_1(float, round)
HET_FLOAT_1(float, trunc)
HET_FLOAT_2(copysign)
HET_FLOAT_2(fmax)
HET_FLOAT_2(fmin)
HET_INLINE float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
HET_INLINE float remquo(float a, float b, int *q) { return ::remquof(a, b, q); }
HET_INLINE float scalbn(float a, int n) { return ::scalbnf(a, n); }
HET_INLINE float scalbln(float a, long n) { return ::scalblnf(a, n); }
HET_INLINE double nan(const char *) { return __builtin_nan(""); }
HET_INLINE float nanf(const char *) { return __builtin_nanf(""); }

HET_FLOAT_2(fdivide)
#undef HET_FLOAT_1
#undef HET_FLOAT_2

// Those of math_functions.def
#define HET_FLOAT_Of1(name)                                                              \
  HET_INLINE float name(float a) { return ::name##f(a); }
#define HET_FLOAT_Of2(name)                                                              \
  HET_INLINE float name(float a, float b) { return ::name##f(a, b); }
#define HET_FLOAT_ToInt(name)                                                            \
  HET_INLINE int name(float a) { return ::name##f(a); }
#define HET_FLOAT_OfInt(name)                                                            \
  HET_INLINE float name(int n, float a) { return ::name##f(n, a); }
#define HET_OVERLOAD_Ours(signature, name) HET_FLOAT_##signature(name)
#define HET_OVERLOAD_Clangs(signature, name)
#define HET_MATH(signature, name, forms, overload, ...)                                  \
  HET_OVERLOAD_##overload(signature, name)
#include "math_functions.def"
#undef HET_FLOAT_Of1
#undef HET_FLOAT_Of2
#undef HET_FLOAT_ToInt
#undef HET_FLOAT_OfInt
#undef HET_OVERLOAD_Ours
#undef HET_OVERLOAD_Clangs

HET_INLINE void sincos(float a, float *s, float *c) { ::sincosf(a, s, c); }
HET_INLINE void sincospi(float a, float *s, float *c) { ::sincospif(a, s, c); }
#if __cplusplus >= 201103L && !defined(__CUDACC_RTC__)
// A power of float and int is double, as C++11 has it, and not Clang's float: of the two
// functions of these arguments, the one with a condition is preferred.
HET_INLINE double pow(float a, int n) __attribute__((enable_if(true, ""))) {
  return ::pow((double)a, n);
}
#endif
HET_INLINE double rsqrt(int a) { return ::rsqrt((double)a); }

// Classification
HET_INLINE int __isnan(double a) { return __builtin_isnan(a); }
HET_INLINE int __isnanf(float a) { return __builtin_isnan(a); }
HET_INLINE int __isinf(double a) { return __builtin_isinf(a); }
HET_INLINE int __isinff(float a) { return __builtin_isinf(a); }
HET_INLINE int __finite(double a) { return __builtin_isfinite(a); }
HET_INLINE int __finitef(float a) { return __builtin_isfinite(a); }
HET_INLINE int __isfinited(double a) { return __builtin_isfinite(a); }
HET_INLINE int finite(double a) { return __builtin_isfinite(a); }
HET_INLINE int finitef(float a) { return __builtin_isfinite(a); }
HET_INLINE int __signbitd(double a) { return __builtin_signbit(a); }
HET_INLINE int __signbit(double a) { return __builtin_signbit(a); }
HET_INLINE int __signbitf(float a) { return __builtin_signbitf(a); }
HET_INLINE int isnanf(float a) { return __builtin_isnan(a); }
HET_INLINE int isinff(float a) { return __builtin_isinf(a); }

#undef HET_INLINE

#endif // HET_DEVICE_MATH_H
