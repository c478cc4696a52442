// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The float overloads that Clang's forward declarations promise and its math
// header does not define, and the classifications that its <cmath> part calls.

#ifndef HET_DEVICE_MATH_H
#define HET_DEVICE_MATH_H

#define HET_INLINE                                                             \
  static __device__ __inline__ __attribute__((always_inline, unused))

#define HET_FLOAT_1(result, name)                                              \
  HET_INLINE result name(float a) { return ::name##f(a); }
#define HET_FLOAT_2(name)                                                      \
  HET_INLINE float name(float a, float b) { return ::name##f(a, b); }
HET_FLOAT_1(float, acosh)
HET_FLOAT_1(float, asinh)
HET_FLOAT_1(float, atanh)
HET_FLOAT_1(float, cbrt)
HET_FLOAT_1(float, erf)
HET_FLOAT_1(float, erfc)
HET_FLOAT_1(float, exp2)
HET_FLOAT_1(float, expm1)
HET_FLOAT_1(int, ilogb)
HET_FLOAT_1(float, lgamma)
HET_FLOAT_1(long long, llrint)
HET_FLOAT_1(long long, llround)
HET_FLOAT_1(float, log1p)
HET_FLOAT_1(float, log2)
HET_FLOAT_1(float, logb)
HET_FLOAT_1(long, lrint)
HET_FLOAT_1(long, lround)
HET_FLOAT_1(float, nearbyint)
HET_FLOAT_1(float, rint)
HET_FLOAT_1(float, round)
HET_FLOAT_1(float, tgamma)
HET_FLOAT_1(float, trunc)
HET_FLOAT_2(copysign)
HET_FLOAT_2(fdim)
HET_FLOAT_2(fmax)
HET_FLOAT_2(fmin)
HET_FLOAT_2(hypot)
HET_FLOAT_2(nextafter)
HET_FLOAT_2(remainder)
HET_INLINE float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
HET_INLINE float remquo(float a, float b, int *q) { return ::remquof(a, b, q); }
HET_INLINE float scalbn(float a, int n) { return ::scalbnf(a, n); }
HET_INLINE float scalbln(float a, long n) { return ::scalblnf(a, n); }
HET_INLINE double nan(const char *) { return __builtin_nan(""); }
HET_INLINE float nanf(const char *) { return __builtin_nanf(""); }

// CUDA's own functions
HET_FLOAT_1(float, cospi)
HET_FLOAT_1(float, cyl_bessel_i0)
HET_FLOAT_1(float, cyl_bessel_i1)
HET_FLOAT_1(float, erfcinv)
HET_FLOAT_1(float, erfcx)
HET_FLOAT_1(float, erfinv)
HET_FLOAT_1(float, exp10)
HET_FLOAT_1(float, j0)
HET_FLOAT_1(float, j1)
HET_FLOAT_1(float, normcdf)
HET_FLOAT_1(float, normcdfinv)
HET_FLOAT_1(float, rcbrt)
HET_FLOAT_1(float, rsqrt)
HET_FLOAT_1(float, sinpi)
HET_FLOAT_1(float, y0)
HET_FLOAT_1(float, y1)
HET_FLOAT_2(fdivide)
HET_FLOAT_2(rhypot)
#undef HET_FLOAT_1
#undef HET_FLOAT_2
HET_INLINE float jn(int n, float a) { return ::jnf(n, a); }
HET_INLINE float yn(int n, float a) { return ::ynf(n, a); }
HET_INLINE void sincos(float a, float *s, float *c) { ::sincosf(a, s, c); }
HET_INLINE void sincospi(float a, float *s, float *c) { ::sincospif(a, s, c); }
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
