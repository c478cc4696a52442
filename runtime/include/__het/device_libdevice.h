// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The __nv_ functions that Clang's math header and ours call.
//
// What LLVM has a generic intrinsic or an instruction for is defined here and
// never reaches the front end by name. The rest is declared, without side
// effects where that is true, and raised to `hetir.math` by its name; see
// docs/dev/front-end-names.md.

#ifndef HET_DEVICE_LIBDEVICE_H
#define HET_DEVICE_LIBDEVICE_H

#include "../crt/host_defines.h"

#define HET_INLINE                                                             \
  static __device__ __inline__ __attribute__((always_inline, unused))
#define HET_PURE __device__ __attribute__((const, nothrow, noconvergent))

// Integers
HET_INLINE int __nv_abs(int a) { return __builtin_abs(a); }
HET_INLINE long long __nv_llabs(long long a) { return __builtin_llabs(a); }
#define HET_MIN_MAX(prefix, type)                                              \
  HET_INLINE type __nv_##prefix##max(type a, type b) { return a < b ? b : a; } \
  HET_INLINE type __nv_##prefix##min(type a, type b) { return b < a ? b : a; }
HET_MIN_MAX(, int)
HET_MIN_MAX(u, unsigned int)
HET_MIN_MAX(ll, long long)
HET_MIN_MAX(ull, unsigned long long)
#undef HET_MIN_MAX

// What LLVM has as a generic intrinsic
#define HET_BUILTIN_1(name)                                                    \
  HET_INLINE double __nv_##name(double a) { return __builtin_##name(a); }      \
  HET_INLINE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define HET_BUILTIN_2(name)                                                    \
  HET_INLINE double __nv_##name(double a, double b) {                          \
    return __builtin_##name(a, b);                                             \
  }                                                                            \
  HET_INLINE float __nv_##name##f(float a, float b) {                          \
    return __builtin_##name##f(a, b);                                          \
  }
HET_BUILTIN_1(fabs)
HET_BUILTIN_1(ceil)
HET_BUILTIN_1(floor)
HET_BUILTIN_1(trunc)
HET_BUILTIN_1(round)
HET_BUILTIN_1(sqrt)
HET_BUILTIN_2(copysign)
#undef HET_BUILTIN_1
#undef HET_BUILTIN_2
// A NaN loses against a number, and -0 is less than +0.
HET_INLINE double __nv_fmax(double a, double b) {
  return __builtin_fmaximum_num(a, b);
}
HET_INLINE float __nv_fmaxf(float a, float b) {
  return __builtin_fmaximum_numf(a, b);
}
HET_INLINE double __nv_fmin(double a, double b) {
  return __builtin_fminimum_num(a, b);
}
HET_INLINE float __nv_fminf(float a, float b) {
  return __builtin_fminimum_numf(a, b);
}
HET_INLINE double __nv_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
HET_INLINE float __nv_fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

extern "C" {

// Functions of one, two, three and four numbers, double and float
#define HET_MATH_1(name)                                                       \
  HET_PURE double __nv_##name(double);                                         \
  HET_PURE float __nv_##name##f(float);
#define HET_MATH_2(name)                                                       \
  HET_PURE double __nv_##name(double, double);                                 \
  HET_PURE float __nv_##name##f(float, float);
HET_MATH_1(acos)
HET_MATH_1(acosh)
HET_MATH_1(asin)
HET_MATH_1(asinh)
HET_MATH_1(atan)
HET_MATH_1(atanh)
HET_MATH_1(cbrt)
HET_MATH_1(cos)
HET_MATH_1(cosh)
HET_MATH_1(cospi)
HET_MATH_1(cyl_bessel_i0)
HET_MATH_1(cyl_bessel_i1)
HET_MATH_1(erf)
HET_MATH_1(erfc)
HET_MATH_1(erfcinv)
HET_MATH_1(erfcx)
HET_MATH_1(erfinv)
HET_MATH_1(exp)
HET_MATH_1(exp10)
HET_MATH_1(exp2)
HET_MATH_1(expm1)
HET_MATH_1(j0)
HET_MATH_1(j1)
HET_MATH_1(lgamma)
HET_MATH_1(log)
HET_MATH_1(log10)
HET_MATH_1(log1p)
HET_MATH_1(log2)
HET_MATH_1(logb)
HET_MATH_1(normcdf)
HET_MATH_1(normcdfinv)
HET_MATH_1(rcbrt)
HET_MATH_1(rsqrt)
HET_MATH_1(sin)
HET_MATH_1(sinh)
HET_MATH_1(sinpi)
HET_MATH_1(tan)
HET_MATH_1(tanh)
HET_MATH_1(tgamma)
HET_MATH_1(y0)
HET_MATH_1(y1)
HET_MATH_2(atan2)
HET_MATH_2(fdim)
HET_MATH_2(fmod)
HET_MATH_2(hypot)
HET_MATH_2(nextafter)
HET_MATH_2(pow)
HET_MATH_2(remainder)
HET_MATH_2(rhypot)
HET_PURE double __nv_norm3d(double, double, double);
HET_PURE float __nv_norm3df(float, float, float);
HET_PURE double __nv_rnorm3d(double, double, double);
HET_PURE float __nv_rnorm3df(float, float, float);
HET_PURE double __nv_norm4d(double, double, double, double);
HET_PURE float __nv_norm4df(float, float, float, float);
HET_PURE double __nv_rnorm4d(double, double, double, double);
HET_PURE float __nv_rnorm4df(float, float, float, float);
#undef HET_MATH_1
#undef HET_MATH_2

// With integers
HET_PURE int __nv_ilogb(double);
HET_PURE int __nv_ilogbf(float);
HET_PURE double __nv_ldexp(double, int);
HET_PURE float __nv_ldexpf(float, int);
HET_PURE double __nv_powi(double, int);
HET_PURE float __nv_powif(float, int);
HET_PURE double __nv_jn(int, double);
HET_PURE float __nv_jnf(int, float);
HET_PURE double __nv_yn(int, double);
HET_PURE float __nv_ynf(int, float);
HET_PURE long long __nv_llrint(double);
HET_PURE long long __nv_llrintf(float);
HET_PURE long long __nv_llround(double);
HET_PURE long long __nv_llroundf(float);

// With results behind pointers
__device__ double __nv_frexp(double, int *) __attribute__((nothrow));
__device__ float __nv_frexpf(float, int *) __attribute__((nothrow));
__device__ double __nv_modf(double, double *) __attribute__((nothrow));
__device__ float __nv_modff(float, float *) __attribute__((nothrow));
__device__ double __nv_remquo(double, double, int *) __attribute__((nothrow));
__device__ float __nv_remquof(float, float, int *) __attribute__((nothrow));

// Approximations: what CUDA documents as such
HET_PURE float __nv_fast_cosf(float);
HET_PURE float __nv_fast_exp10f(float);
HET_PURE float __nv_fast_expf(float);
HET_PURE float __nv_fast_fdividef(float, float);
HET_PURE float __nv_fast_log10f(float);
HET_PURE float __nv_fast_log2f(float);
HET_PURE float __nv_fast_logf(float);
HET_PURE float __nv_fast_powf(float, float);
HET_PURE float __nv_fast_sinf(float);
HET_PURE float __nv_fast_tanf(float);
HET_PURE float __nv_frsqrt_rn(float);

} // extern "C"

HET_INLINE double __nv_scalbn(double a, int b) { return __nv_ldexp(a, b); }
HET_INLINE float __nv_scalbnf(float a, int b) { return __nv_ldexpf(a, b); }

// Pairs are two functions: the front end has no operation with two results.
HET_INLINE void __nv_sincos(double a, double *s, double *c) {
  *s = __nv_sin(a);
  *c = __nv_cos(a);
}
HET_INLINE void __nv_sincosf(float a, float *s, float *c) {
  *s = __nv_sinf(a);
  *c = __nv_cosf(a);
}
HET_INLINE void __nv_sincospi(double a, double *s, double *c) {
  *s = __nv_sinpi(a);
  *c = __nv_cospi(a);
}
HET_INLINE void __nv_sincospif(float a, float *s, float *c) {
  *s = __nv_sinpif(a);
  *c = __nv_cospif(a);
}
HET_INLINE void __nv_fast_sincosf(float a, float *s, float *c) {
  *s = __nv_fast_sinf(a);
  *c = __nv_fast_cosf(a);
}

// Norms of vectors of any length, scaled so that no square overflows or
// vanishes
HET_INLINE double __nv_norm(int n, const double *v) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r = __nv_hypot(r, v[i]);
  return r;
}
HET_INLINE float __nv_normf(int n, const float *v) {
  float r = 0;
  for (int i = 0; i < n; ++i)
    r = __nv_hypotf(r, v[i]);
  return r;
}
HET_INLINE double __nv_rnorm(int n, const double *v) {
  return 1.0 / __nv_norm(n, v);
}
HET_INLINE float __nv_rnormf(int n, const float *v) {
  return 1.0f / __nv_normf(n, v);
}

#undef HET_INLINE

#endif // HET_DEVICE_LIBDEVICE_H
