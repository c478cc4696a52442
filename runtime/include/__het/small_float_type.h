// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 16-bit floating type and its pair; see small_float.h for the names.

#if !defined(HET_T) || !defined(HET_T2)
#error "__het/small_float_type.h is a part of cuda_fp16.h and cuda_bf16.h"
#endif

// Conversions by the device library, which gives their bits
#if defined(__CUDA_ARCH__)
#define HET_LIBRARY(from, type)                                                          \
  extern "C" __device__                                                                  \
      __attribute__((const, nothrow)) unsigned short HET_DEVICE_FROM(from)(type);
#define HET_LIBRARY_MODE(mode)                                                           \
  HET_LIBRARY(int_##mode, int)                                                           \
  HET_LIBRARY(uint_##mode, unsigned int)                                                 \
  HET_LIBRARY(ll_##mode, long long)                                                      \
  HET_LIBRARY(ull_##mode, unsigned long long)
HET_LIBRARY_MODE(rn)
HET_LIBRARY_MODE(rz)
HET_LIBRARY_MODE(ru)
HET_LIBRARY_MODE(rd)
HET_LIBRARY(float_rz, float)
HET_LIBRARY(float_ru, float)
HET_LIBRARY(float_rd, float)
HET_LIBRARY(double_rn, double)
#undef HET_LIBRARY_MODE
#undef HET_LIBRARY
#endif

#define HET_M __host__ __device__ __inline__ __attribute__((always_inline))

struct __align__(2) HET_T {
  unsigned short __x;

  HET_T() = default;
  HET_M constexpr HET_T(const HET_RAW_T &r) : __x(r.x) {}
  HET_M operator HET_RAW_T() const { return HET_RAW_T{__x}; }
  HET_M operator HET_RAW_T() const volatile { return HET_RAW_T{__x}; }
#if HET_CONVERSIONS
  HET_M HET_T(float f) : __x(HET_ENCODE(f)) {}
#if defined(__CUDA_ARCH__)
#define HET_CONSTRUCTOR(type, from)                                                      \
  HET_M HET_T(type i) : __x(HET_DEVICE_FROM(from##_rn)(i)) {}
#else
#define HET_CONSTRUCTOR(type, from)                                                      \
  HET_M HET_T(type i) : __x(HET_ENCODE(__het_odd(i))) {}
#endif
  HET_CONSTRUCTOR(double, double)
  HET_CONSTRUCTOR(short, int)
  HET_CONSTRUCTOR(unsigned short, uint)
  HET_CONSTRUCTOR(int, int)
  HET_CONSTRUCTOR(unsigned int, uint)
  HET_CONSTRUCTOR(long, ll)
  HET_CONSTRUCTOR(unsigned long, ull)
  HET_CONSTRUCTOR(long long, ll)
  HET_CONSTRUCTOR(unsigned long long, ull)
#undef HET_CONSTRUCTOR
  HET_M operator float() const { return HET_DECODE(__x); }
  HET_M explicit constexpr operator bool() const { return (__x & 0x7fff) != 0; }
// Only the conversion to float is implicit, and the others follow from it where
// one is wanted; towards zero, and saturated.
#define HET_CONVERSION(type, function)                                                   \
  HET_M explicit operator type() const {                                                 \
    return (type)__het_to_##function##_rz(HET_DECODE(__x));                              \
  }
#define HET_CONVERSION_CLAMPED(type, least, most)                                        \
  HET_M explicit operator type() const {                                                 \
    return (type)__het_clamp(__het_to_int_rz(HET_DECODE(__x)), least, most);             \
  }
  HET_CONVERSION_CLAMPED(char, (char)-1 < 0 ? -128 : 0, (char)-1 < 0 ? 127 : 255)
  HET_CONVERSION_CLAMPED(signed char, -128, 127)
  HET_CONVERSION_CLAMPED(unsigned char, 0, 255)
  HET_CONVERSION_CLAMPED(short, -32768, 32767)
  HET_CONVERSION_CLAMPED(unsigned short, 0, 65535)
  HET_CONVERSION(int, int)
  HET_CONVERSION(unsigned int, uint)
  HET_CONVERSION(long, ll)
  HET_CONVERSION(unsigned long, ull)
  HET_CONVERSION(long long, ll)
  HET_CONVERSION(unsigned long long, ull)
#undef HET_CONVERSION
#undef HET_CONVERSION_CLAMPED
#endif // HET_CONVERSIONS
};

struct __align__(4) HET_T2 {
  HET_T x, y;

  HET_T2() = default;
  HET_M constexpr HET_T2(const HET_T &a, const HET_T &b) : x(a), y(b) {}
  HET_M HET_T2(const HET_RAW_T2 &r) : x(HET_RAW_T{r.x}), y(HET_RAW_T{r.y}) {}
  HET_M operator HET_RAW_T2() const { return HET_RAW_T2{x.__x, y.__x}; }
};

#undef HET_M
