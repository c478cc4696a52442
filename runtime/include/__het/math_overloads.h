// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min and max of every mix of arithmetic types, for host and device, and the
// host versions of the functions that CUDA adds to C's.
//
// A mix is compared in the type that CUDA picks: unsigned wins over signed, the
// wider over the narrower, floating over integer.

#ifndef HET_MATH_OVERLOADS_H
#define HET_MATH_OVERLOADS_H

#define HET_BOTH                                                                         \
  static __host__ __device__ __inline__ __attribute__((always_inline, unused))

#define HET_MIN_MAX(result, first, second)                                               \
  HET_BOTH result min(first a, second b) {                                               \
    return (result)b < (result)a ? (result)b : (result)a;                                \
  }                                                                                      \
  HET_BOTH result max(first a, second b) {                                               \
    return (result)a < (result)b ? (result)b : (result)a;                                \
  }
#define HET_MIN_MAX_MIXED(result, other)                                                 \
  HET_MIN_MAX(result, result, other)                                                     \
  HET_MIN_MAX(result, other, result)

#ifndef __CUDACC_RTC__
// min(int, int) and max(int, int) of the device are Clang's.
static __host__ __inline__ __attribute__((always_inline, unused)) int min(int a, int b) {
  return b < a ? b : a;
}
static __host__ __inline__ __attribute__((always_inline, unused)) int max(int a, int b) {
  return a < b ? b : a;
}
#endif
HET_MIN_MAX(unsigned int, unsigned int, unsigned int)
HET_MIN_MAX_MIXED(unsigned int, int)
HET_MIN_MAX(long, long, long)
HET_MIN_MAX(unsigned long, unsigned long, unsigned long)
HET_MIN_MAX_MIXED(unsigned long, long)
HET_MIN_MAX(long long, long long, long long)
HET_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
HET_MIN_MAX_MIXED(unsigned long long, long long)
#undef HET_MIN_MAX

// A NaN loses against a number, and on devices -0 is less than +0.
#ifdef __CUDA_ARCH__
#define HET_FMIN(suffix) __builtin_fminimum_num##suffix
#define HET_FMAX(suffix) __builtin_fmaximum_num##suffix
#else
#define HET_FMIN(suffix) __builtin_fmin##suffix
#define HET_FMAX(suffix) __builtin_fmax##suffix
#endif
#define HET_FLOATING(result, suffix, first, second)                                      \
  HET_BOTH result min(first a, second b) {                                               \
    return HET_FMIN(suffix)((result)a, (result)b);                                       \
  }                                                                                      \
  HET_BOTH result max(first a, second b) {                                               \
    return HET_FMAX(suffix)((result)a, (result)b);                                       \
  }
HET_FLOATING(float, f, float, float)
HET_FLOATING(double, , double, double)
HET_FLOATING(double, , float, double)
HET_FLOATING(double, , double, float)
#undef HET_FMIN
#undef HET_FMAX
#undef HET_FLOATING
#undef HET_MIN_MAX_MIXED
#undef HET_BOTH

#ifndef __CUDACC_RTC__
#include "host_math.h"
#endif

#endif // HET_MATH_OVERLOADS_H
