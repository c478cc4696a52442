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

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))
#define HET_PURE __device__ __attribute__((const, nothrow, noconvergent))

// Integers
HET_INLINE int __nv_abs(int a) { return __builtin_abs(a); }
HET_INLINE long long __nv_llabs(long long a) { return __builtin_llabs(a); }
#define HET_MIN_MAX(prefix, type)                                                        \
  HET_INLINE type __nv_##prefix##max(type a, type b) { return a < b ? b : a; }           \
  HET_INLINE type __nv_##prefix##min(type a, type b) { return b < a ? b : a; }
HET_MIN_MAX(, int)
HET_MIN_MAX(u, unsigned int)
HET_MIN_MAX(ll, long long)
HET_MIN_MAX(ull, unsigned long long)
#undef HET_MIN_MAX

// Functions that LLVM has as a generic intrinsic
#define HET_BUILTIN_1(name)                                                              \
  HET_INLINE double __nv_##name(double a) { return __builtin_##name(a); }                \
  HET_INLINE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define HET_BUILTIN_2(name)                                                              \
  HET_INLINE double __nv_##name(double a, double b) { return __builtin_##name(a, b); }   \
  HET_INLINE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }
HET_BUILTIN_1(fabs)
HET_BUILTIN_1(ceil)
HET_BUILTIN_1(floor)
HET_BUILTIN_1(trunc)
HET_BUILTIN_1(round)
HET_BUILTIN_1(sqrt) // of float: as -prec-sqrt says
HET_BUILTIN_2(copysign)
#undef HET_BUILTIN_1
#undef HET_BUILTIN_2
// A NaN loses against a number, and -0 is less than +0.
HET_INLINE double __nv_fmax(double a, double b) { return __builtin_fmaximum_num(a, b); }
HET_INLINE float __nv_fmaxf(float a, float b) { return __builtin_fmaximum_numf(a, b); }
HET_INLINE double __nv_fmin(double a, double b) { return __builtin_fminimum_num(a, b); }
HET_INLINE float __nv_fminf(float a, float b) { return __builtin_fminimum_numf(a, b); }
HET_INLINE double __nv_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
HET_INLINE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

extern "C" {

// Each of double and of float, and the approximation that CUDA documents as such
#define HET_DECLARE(result, name, ...) HET_PURE result __nv_##name(__VA_ARGS__);
#define HET_DECLARE_Of1(number, name) HET_DECLARE(number, name, number)
#define HET_DECLARE_Of2(number, name) HET_DECLARE(number, name, number, number)
#define HET_DECLARE_Of3(number, name) HET_DECLARE(number, name, number, number, number)
#define HET_DECLARE_Of4(number, name)                                                    \
  HET_DECLARE(number, name, number, number, number, number)
#define HET_DECLARE_ToInt(number, name) HET_DECLARE(int, name, number)
#define HET_DECLARE_WithInt(number, name) HET_DECLARE(number, name, number, int)
#define HET_DECLARE_OfInt(number, name) HET_DECLARE(number, name, int, number)
#define HET_DECLARE_Exact(signature, name)
#define HET_DECLARE_Fast(signature, name) HET_DECLARE_##signature(float, fast_##name##f)
#define HET_MATH(signature, name, forms, ...)                                            \
  HET_DECLARE_##signature(double, name) HET_DECLARE_##signature(float, name##f)          \
      HET_DECLARE_##forms(signature, name)
#include "math_functions.def"
#undef HET_DECLARE_Exact
#undef HET_DECLARE_Fast
#undef HET_DECLARE_Of1
#undef HET_DECLARE_Of2
#undef HET_DECLARE_Of3
#undef HET_DECLARE_Of4
#undef HET_DECLARE_ToInt
#undef HET_DECLARE_WithInt
#undef HET_DECLARE_OfInt
#undef HET_DECLARE

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

// Approximations of no function above
HET_PURE float __nv_fast_fdividef(float, float);
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
HET_INLINE double __nv_rnorm(int n, const double *v) { return 1.0 / __nv_norm(n, v); }
HET_INLINE float __nv_rnormf(int n, const float *v) { return 1.0f / __nv_normf(n, v); }

#undef HET_INLINE

#endif // HET_DEVICE_LIBDEVICE_H
