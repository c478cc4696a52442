// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions with a stated rounding, and reinterpretations of bits.
//
// Conversions to integers saturate and send NaN to a fixed value, which C's
// casts do not promise; they stay functions of the front end.

#ifndef HET_DEVICE_CONVERSIONS_H
#define HET_DEVICE_CONVERSIONS_H

#include "device_libdevice.h"

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

#define HET_CONVERT(to, name, from)                                                      \
  extern "C" HET_PURE to __nv_##name(from);                                              \
  HET_INLINE to __##name(from a) { return __nv_##name(a); }

#define HET_TO_INTEGER(mode)                                                             \
  HET_CONVERT(int, float2int_##mode, float)                                              \
  HET_CONVERT(unsigned int, float2uint_##mode, float)                                    \
  HET_CONVERT(long long, float2ll_##mode, float)                                         \
  HET_CONVERT(unsigned long long, float2ull_##mode, float)                               \
  HET_CONVERT(int, double2int_##mode, double)                                            \
  HET_CONVERT(unsigned int, double2uint_##mode, double)                                  \
  HET_CONVERT(long long, double2ll_##mode, double)                                       \
  HET_CONVERT(unsigned long long, double2ull_##mode, double)
HET_TO_INTEGER(rn)
HET_TO_INTEGER(rz)
HET_TO_INTEGER(ru)
HET_TO_INTEGER(rd)
#undef HET_TO_INTEGER

#define HET_TO_FLOATING(mode)                                                            \
  HET_CONVERT(float, double2float_##mode, double)                                        \
  HET_CONVERT(float, int2float_##mode, int)                                              \
  HET_CONVERT(float, uint2float_##mode, unsigned int)                                    \
  HET_CONVERT(float, ll2float_##mode, long long)                                         \
  HET_CONVERT(float, ull2float_##mode, unsigned long long)                               \
  HET_CONVERT(double, ll2double_##mode, long long)                                       \
  HET_CONVERT(double, ull2double_##mode, unsigned long long)
HET_TO_FLOATING(rz)
HET_TO_FLOATING(ru)
HET_TO_FLOATING(rd)
#undef HET_TO_FLOATING
#undef HET_CONVERT

// Round to nearest is C's own conversion.
#define HET_CAST(to, name, from)                                                         \
  HET_INLINE to name(from a) { return (to)a; }
HET_CAST(float, __double2float_rn, double)
HET_CAST(float, __int2float_rn, int)
HET_CAST(float, __uint2float_rn, unsigned int)
HET_CAST(float, __ll2float_rn, long long)
HET_CAST(float, __ull2float_rn, unsigned long long)
HET_CAST(double, __int2double_rn, int)
HET_CAST(double, __uint2double_rn, unsigned int)
HET_CAST(double, __ll2double_rn, long long)
HET_CAST(double, __ull2double_rn, unsigned long long)
#undef HET_CAST

#define HET_BITS(to, name, from)                                                         \
  HET_INLINE to name(from a) { return __builtin_bit_cast(to, a); }
HET_BITS(int, __float_as_int, float)
HET_BITS(unsigned int, __float_as_uint, float)
HET_BITS(float, __int_as_float, int)
HET_BITS(float, __uint_as_float, unsigned int)
HET_BITS(long long, __double_as_longlong, double)
HET_BITS(double, __longlong_as_double, long long)
#undef HET_BITS

HET_INLINE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
HET_INLINE int __double2loint(double a) { return (int)__double_as_longlong(a); }
HET_INLINE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(
      (long long)((unsigned long long)(unsigned int)hi << 32 | (unsigned int)lo));
}

// The older names without underscores
HET_INLINE int float_as_int(float a) { return __float_as_int(a); }
HET_INLINE float int_as_float(int a) { return __int_as_float(a); }
HET_INLINE unsigned int float_as_uint(float a) { return __float_as_uint(a); }
HET_INLINE float uint_as_float(unsigned int a) { return __uint_as_float(a); }
HET_INLINE int float2int(float a, enum cudaRoundMode mode = cudaRoundZero) {
  return mode == cudaRoundNearest  ? __float2int_rn(a)
         : mode == cudaRoundPosInf ? __float2int_ru(a)
         : mode == cudaRoundMinInf ? __float2int_rd(a)
                                   : __float2int_rz(a);
}
HET_INLINE float int2float(int a, enum cudaRoundMode mode = cudaRoundNearest) {
  return mode == cudaRoundZero     ? __int2float_rz(a)
         : mode == cudaRoundPosInf ? __int2float_ru(a)
         : mode == cudaRoundMinInf ? __int2float_rd(a)
                                   : __int2float_rn(a);
}

#undef HET_INLINE

#endif // HET_DEVICE_CONVERSIONS_H
