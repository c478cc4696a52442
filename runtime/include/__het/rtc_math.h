// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The overloads that <cmath> would bring, for sources without it: of float under the
// names of double's functions, and classifications.

#ifndef HET_RTC_MATH_H
#define HET_RTC_MATH_H

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

// Those of math_functions.def that device_math.h leaves to Clang's <cmath>
#define HET_FLOAT_Of1(name)                                                              \
  HET_INLINE float name(float a) { return ::name##f(a); }
#define HET_FLOAT_Of2(name)                                                              \
  HET_INLINE float name(float a, float b) { return ::name##f(a, b); }
#define HET_FLOAT_Of3(name)
#define HET_FLOAT_Of4(name)
#define HET_FLOAT_WithInt(name) // of ldexp below
#define HET_OVERLOAD_Ours(signature, name)
#define HET_OVERLOAD_Clangs(signature, name) HET_FLOAT_##signature(name)
#define HET_MATH(signature, name, forms, overload, ...)                                  \
  HET_OVERLOAD_##overload(signature, name)
#include "math_functions.def"
#undef HET_OVERLOAD_Ours
#undef HET_OVERLOAD_Clangs

HET_FLOAT_Of1(ceil) HET_FLOAT_Of1(fabs) HET_FLOAT_Of1(floor) HET_FLOAT_Of1(sqrt)
#undef HET_FLOAT_Of1
#undef HET_FLOAT_Of2
#undef HET_FLOAT_Of3
#undef HET_FLOAT_Of4
#undef HET_FLOAT_WithInt
    HET_INLINE long long abs(long long a) {
  return ::llabs(a);
}
HET_INLINE long abs(long a) { return ::labs(a); }
HET_INLINE float abs(float a) { return ::fabsf(a); }
HET_INLINE double abs(double a) { return ::fabs(a); }
HET_INLINE float frexp(float a, int *exponent) { return ::frexpf(a, exponent); }
HET_INLINE float ldexp(float a, int exponent) { return ::ldexpf(a, exponent); }
HET_INLINE float modf(float a, float *whole) { return ::modff(a, whole); }
HET_INLINE double pow(double a, int n) { return ::powi(a, n); }
HET_INLINE float pow(float a, int n) { return ::powif(a, n); }

#define HET_CLASSIFY(name, builtin)                                                      \
  HET_INLINE bool name(float a) { return builtin(a); }                                   \
  HET_INLINE bool name(double a) { return builtin(a); }
#define HET_COMPARE(name)                                                                \
  HET_INLINE bool name(float a, float b) { return __builtin_##name(a, b); }              \
  HET_INLINE bool name(double a, double b) { return __builtin_##name(a, b); }
HET_CLASSIFY(isfinite, __builtin_isfinite)
HET_CLASSIFY(isinf, __builtin_isinf)
HET_CLASSIFY(isnan, __builtin_isnan)
HET_CLASSIFY(isnormal, __builtin_isnormal)
HET_CLASSIFY(signbit, __builtin_signbit)
HET_COMPARE(isgreater)
HET_COMPARE(isgreaterequal)
HET_COMPARE(isless)
HET_COMPARE(islessequal)
HET_COMPARE(islessgreater)
HET_COMPARE(isunordered)
#undef HET_CLASSIFY
#undef HET_COMPARE

#undef HET_INLINE

#endif // HET_RTC_MATH_H
