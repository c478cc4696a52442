// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __nv_bfloat16 and __nv_bfloat162: the upper half of a float.

#ifndef HET_CUDA_BF16_H
#define HET_CUDA_BF16_H
#define __CUDA_BF16_H__

#if !defined(__CUDACC__)
#error "cuda_bf16.h is for CUDA source"
#endif

#include "cuda_fp16.h"

#define HET_F                                                                  \
  static __host__ __device__ __inline__ __attribute__((always_inline, unused))
#define HET_M __host__ __device__ __inline__ __attribute__((always_inline))

typedef struct {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct {
  unsigned short x, y;
} __nv_bfloat162_raw;

// To nearest, ties to even; every NaN becomes CUDA's own.
HET_F unsigned short __het_bfloat_bits(float f) {
  unsigned int bits = __builtin_bit_cast(unsigned int, f);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
// Through float, made odd where it is inexact, so that only the last rounding
// counts.
HET_F unsigned short __het_bfloat_bits(double d) {
  float f = (float)d;
  unsigned int bits = __builtin_bit_cast(unsigned int, f);
  if ((double)f != d && !__builtin_isnan(d) && !__builtin_isinf(f) &&
      !(bits & 1)) {
    bool away = __builtin_fabs((double)f) > __builtin_fabs(d);
    f = __builtin_bit_cast(float, away ? bits - 1 : bits + 1);
  }
  return __het_bfloat_bits(f);
}

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  HET_M constexpr __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
  HET_M __nv_bfloat16(float f) : __x(__het_bfloat_bits(f)) {}
  HET_M __nv_bfloat16(double f) : __x(__het_bfloat_bits(f)) {}
  HET_M __nv_bfloat16(int i) : __nv_bfloat16((double)i) {}
  HET_M __nv_bfloat16(unsigned int i) : __nv_bfloat16((double)i) {}
  HET_M __nv_bfloat16(short i) : __nv_bfloat16((float)i) {}
  HET_M __nv_bfloat16(unsigned short i) : __nv_bfloat16((float)i) {}
  HET_M __nv_bfloat16(long i) : __nv_bfloat16((double)i) {}
  HET_M __nv_bfloat16(unsigned long i) : __nv_bfloat16((double)i) {}
  HET_M __nv_bfloat16(long long i) : __nv_bfloat16((double)i) {}
  HET_M __nv_bfloat16(unsigned long long i) : __nv_bfloat16((double)i) {}
  HET_M operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  HET_M operator float() const {
    return __builtin_bit_cast(float, (unsigned int)__x << 16);
  }
  HET_M explicit operator bool() const { return (__x & 0x7fff) != 0; }
  HET_M explicit operator int() const { return (int)(float)*this; }
  HET_M explicit operator unsigned int() const {
    return (unsigned int)(float)*this;
  }
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  HET_M constexpr __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b)
      : x(a), y(b) {}
  HET_M __nv_bfloat162(const __nv_bfloat162_raw &r) {
    x.__x = r.x;
    y.__x = r.y;
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Conversions
HET_F __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
HET_F __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
HET_F __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
HET_F float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
HET_F __nv_bfloat162 __float2bfloat162_rn(float a) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
HET_F __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
HET_F __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
}
HET_F float2 __bfloat1622float2(__nv_bfloat162 a) {
  return make_float2((float)a.x, (float)a.y);
}
HET_F float __low2float(__nv_bfloat162 a) { return (float)a.x; }
HET_F float __high2float(__nv_bfloat162 a) { return (float)a.y; }
HET_F __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
HET_F __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
HET_F __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
HET_F __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
HET_F __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
HET_F unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
HET_F short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
HET_F __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{a});
}
HET_F __nv_bfloat16 __short_as_bfloat16(short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)a});
}
HET_F __nv_bfloat16 __int2bfloat16_rn(int a) { return __nv_bfloat16(a); }
HET_F __nv_bfloat16 __uint2bfloat16_rn(unsigned int a) {
  return __nv_bfloat16(a);
}
static __device__ __inline__ int __bfloat162int_rn(__nv_bfloat16 a) {
  return __float2int_rn((float)a);
}
static __device__ __inline__ int __bfloat162int_rz(__nv_bfloat16 a) {
  return __float2int_rz((float)a);
}

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#undef HET_M
#undef HET_F

#define HET_T __nv_bfloat16
#define HET_T2 __nv_bfloat162
#define HET_FROM(f) __nv_bfloat16((float)(f))
#define HET_FROM_DOUBLE(d) __nv_bfloat16((double)(d))
#define HET_TO(a) ((float)(a))
#include "__het/small_float.h"
#undef HET_T
#undef HET_T2
#undef HET_FROM
#undef HET_FROM_DOUBLE
#undef HET_TO

#endif // HET_CUDA_BF16_H
