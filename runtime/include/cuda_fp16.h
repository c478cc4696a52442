// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __half and __half2: half precision.
//
// Conversions are the compiler's own (_Float16); see __het/small_float.h for
// the arithmetic.

#ifndef HET_CUDA_FP16_H
#define HET_CUDA_FP16_H
#define __CUDA_FP16_H__

#if !defined(__CUDACC__)
#error "cuda_fp16.h is for CUDA source"
#endif

#include "cuda_runtime.h"

#define HET_F                                                                  \
  static __host__ __device__ __inline__ __attribute__((always_inline, unused))
#define HET_M __host__ __device__ __inline__ __attribute__((always_inline))

typedef struct {
  unsigned short x;
} __half_raw;
typedef struct {
  unsigned short x, y;
} __half2_raw;

HET_F unsigned short __het_half_bits(float f) {
  return __builtin_bit_cast(unsigned short, (_Float16)f);
}
HET_F float __het_half_value(unsigned short bits) {
  return (float)__builtin_bit_cast(_Float16, bits);
}

struct __align__(2) __half {
  unsigned short __x;

  __half() = default;
  HET_M constexpr __half(const __half_raw &r) : __x(r.x) {}
  HET_M __half(float f) : __x(__het_half_bits(f)) {}
  HET_M __half(double f)
      : __x(__builtin_bit_cast(unsigned short, (_Float16)f)) {}
  HET_M __half(int i) : __half((double)i) {}
  HET_M __half(unsigned int i) : __half((double)i) {}
  HET_M __half(short i) : __half((float)i) {}
  HET_M __half(unsigned short i) : __half((float)i) {}
  HET_M __half(long i) : __half((double)i) {}
  HET_M __half(unsigned long i) : __half((double)i) {}
  HET_M __half(long long i) : __half((double)i) {}
  HET_M __half(unsigned long long i) : __half((double)i) {}
  HET_M operator __half_raw() const { return __half_raw{__x}; }
  HET_M operator float() const { return __het_half_value(__x); }
  HET_M explicit operator bool() const { return (__x & 0x7fff) != 0; }
  HET_M explicit operator int() const { return (int)(float)*this; }
  HET_M explicit operator unsigned int() const {
    return (unsigned int)(float)*this;
  }
  HET_M explicit operator short() const { return (short)(float)*this; }
  HET_M explicit operator unsigned short() const {
    return (unsigned short)(float)*this;
  }
  HET_M explicit operator long long() const { return (long long)(float)*this; }
  HET_M explicit operator unsigned long long() const {
    return (unsigned long long)(float)*this;
  }
};

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  HET_M constexpr __half2(const __half &a, const __half &b) : x(a), y(b) {}
  HET_M __half2(const __half2_raw &r) {
    x.__x = r.x;
    y.__x = r.y;
  }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

// Conversions
HET_F __half __float2half(float a) { return __half(a); }
HET_F __half __float2half_rn(float a) { return __half(a); }
HET_F __half __double2half(double a) { return __half(a); }
HET_F float __half2float(__half a) { return (float)a; }
HET_F __half2 __float2half2_rn(float a) {
  return __half2(__half(a), __half(a));
}
HET_F __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
HET_F __half2 __float22half2_rn(float2 a) {
  return __half2(__half(a.x), __half(a.y));
}
HET_F float2 __half22float2(__half2 a) {
  return make_float2((float)a.x, (float)a.y);
}
HET_F float __low2float(__half2 a) { return (float)a.x; }
HET_F float __high2float(__half2 a) { return (float)a.y; }
HET_F __half __low2half(__half2 a) { return a.x; }
HET_F __half __high2half(__half2 a) { return a.y; }
HET_F __half2 __half2half2(__half a) { return __half2(a, a); }
HET_F __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
HET_F __half2 make_half2(__half a, __half b) { return __half2(a, b); }
HET_F __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
HET_F __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
HET_F __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
HET_F __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
HET_F __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
HET_F short __half_as_short(__half a) { return (short)a.__x; }
HET_F unsigned short __half_as_ushort(__half a) { return a.__x; }
HET_F __half __short_as_half(short a) {
  return __half(__half_raw{(unsigned short)a});
}
HET_F __half __ushort_as_half(unsigned short a) {
  return __half(__half_raw{a});
}
HET_F __half __int2half_rn(int a) { return __half(a); }
HET_F __half __uint2half_rn(unsigned int a) { return __half(a); }
HET_F __half __short2half_rn(short a) { return __half(a); }
HET_F __half __ushort2half_rn(unsigned short a) { return __half(a); }
HET_F __half __ll2half_rn(long long a) { return __half(a); }
HET_F __half __ull2half_rn(unsigned long long a) { return __half(a); }
static __device__ __inline__ int __half2int_rn(__half a) {
  return __float2int_rn((float)a);
}
static __device__ __inline__ int __half2int_rz(__half a) {
  return __float2int_rz((float)a);
}
static __device__ __inline__ unsigned int __half2uint_rn(__half a) {
  return __float2uint_rn((float)a);
}
static __device__ __inline__ unsigned int __half2uint_rz(__half a) {
  return __float2uint_rz((float)a);
}

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#undef HET_M
#undef HET_F

#define HET_T __half
#define HET_T2 __half2
#define HET_FROM(f) __half((float)(f))
#define HET_FROM_DOUBLE(d) __half((double)(d))
#define HET_TO(a) ((float)(a))
#include "__het/small_float.h"
#undef HET_T
#undef HET_T2
#undef HET_FROM
#undef HET_FROM_DOUBLE
#undef HET_TO

#endif // HET_CUDA_FP16_H
