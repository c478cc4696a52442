// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of the 8-bit formats. A double holds all that is converted exactly, so
// there is one way in, which rounds once, and a float holds all that comes out.

#ifndef HET_CUDA_FP8_H
#error "__het/fp8_convert.h is a part of cuda_fp8.h"
#endif

#include "__het/narrow_float_code.h"

// The device library's, of two numbers at once; what is too large becomes the largest.
#if defined(__CUDA_ARCH__)
#define HET_PURE extern "C" __device__ __attribute__((const, nothrow))
HET_PURE unsigned short __nv_e4m3x2_from_floats_rn(float low, float high);
HET_PURE unsigned short __nv_e5m2x2_from_floats_rn(float low, float high);
HET_PURE unsigned int __nv_half2_from_e4m3x2(unsigned short codes);
#undef HET_PURE
HET_F __nv_fp8x2_storage_t __het_fp8_pair(float low, float high,
                                          __nv_fp8_interpretation_t format) {
  return format == __NV_E4M3 ? __nv_e4m3x2_from_floats_rn(low, high)
                             : __nv_e5m2x2_from_floats_rn(low, high);
}
#endif

HET_F __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__)
  if (saturate == __NV_SATFINITE) // what is made odd may be rounded once more
    return (__nv_fp8_storage_t)__het_fp8_pair(__het_odd(x), 0.0f, format);
#endif
  const bool isE4m3 = format == __NV_E4M3;
  const unsigned largest = isE4m3 ? 0x7e : 0x7b;
  if (x != x)
    return 0x7f;
  unsigned code = __het_narrow_code(x, isE4m3 ? 3 : 2, isE4m3 ? 7 : 15, cudaRoundNearest);
  if (code > largest)
    code = saturate == __NV_SATFINITE ? largest : isE4m3 ? 0x7f : 0x7c;
  return (__nv_fp8_storage_t)(__het_narrow_sign(x, 7) | code);
}
HET_F __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                               __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__)
  if (saturate == __NV_SATFINITE)
    return (__nv_fp8_storage_t)__het_fp8_pair(x, 0.0f, format);
#endif
  return __nv_cvt_double_to_fp8((double)x, saturate, format);
}
HET_F __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__het_half_value(x.x), saturate, format);
}
HET_F __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                     __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__het_bfloat_value(x.x), saturate, format);
}

HET_F float __het_fp8_value(__nv_fp8_storage_t code, __nv_fp8_interpretation_t format) {
  if (format == __NV_E5M2) // the upper half of a half
    return __het_half_value((unsigned short)(code << 8));
  const unsigned rest = code & 0x7fu, sign = (unsigned)(code & 0x80u) << 24;
  if (rest == 0x7f)
    return HET_BIT_CAST(float, sign | 0x7fc00000u);
#if defined(__CUDA_ARCH__)
  return __het_half_value((unsigned short)__nv_half2_from_e4m3x2(code));
#else
  const unsigned exponent = rest >> 3, digits = rest & 7u;
  float value = (float)(int)digits * (1.0f / 512.0f);
  if (exponent)
    value = HET_BIT_CAST(float, (exponent + 120u) << 23 | digits << 20);
  return HET_BIT_CAST(float, sign | HET_BIT_CAST(unsigned, value));
#endif
}
HET_F __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                         __nv_fp8_interpretation_t format) {
  __half_raw made;
#if defined(__CUDA_ARCH__)
  if (format == __NV_E4M3) {
    made.x = (unsigned short)__nv_half2_from_e4m3x2(x);
    return made;
  }
#endif
  made.x = __het_half_bits(__het_fp8_value(x, format));
  return made;
}

// e8m0: the exponent alone, biased by 127. Signs are lost.
HET_F unsigned char __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                            enum cudaRoundMode round) {
  unsigned long long bits = HET_BIT_CAST(unsigned long long, x) & (~0ull >> 1);
  if (bits > 0x7ffull << 52)
    return 0xff;
  const bool isUp = round == cudaRoundPosInf && (bits & (~0ull >> 12)) != 0;
  const int exponent = (int)(bits >> 52) - 1023 + 127 + (isUp ? 1 : 0);
  if (exponent > 254)
    return saturate == __NV_SATFINITE ? 0xfe : 0xff;
  return (unsigned char)(exponent < 0 ? 0 : exponent);
}
HET_F unsigned char __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                           enum cudaRoundMode round) {
  return __nv_cvt_double_to_e8m0((double)x, saturate, round);
}
HET_F unsigned char __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x,
                                                 __nv_saturation_t saturate,
                                                 enum cudaRoundMode round) {
  return __nv_cvt_float_to_e8m0(__het_bfloat_value(x.x), saturate, round);
}
HET_F float __het_e8m0_value(unsigned char code) {
  return HET_BIT_CAST(float, code == 0xff ? 0x7fffffffu
                             : code       ? (unsigned)code << 23
                                          : 0x00400000u);
}
HET_F __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(unsigned char x) {
  __nv_bfloat16_raw made;
  made.x = (unsigned short)(HET_BIT_CAST(unsigned, __het_e8m0_value(x)) >> 16);
  return made;
}

// Pairs: the first is the lower byte.
HET_F __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t format) {
#if defined(__CUDA_ARCH__)
  if (saturate == __NV_SATFINITE)
    return __het_fp8_pair(x.x, x.y, format);
#endif
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturate, format) |
                                (unsigned)__nv_cvt_float_to_fp8(x.y, saturate, format)
                                    << 8);
}
HET_F __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x,
                                                     __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(make_float2(__het_odd(x.x), __het_odd(x.y)), saturate,
                                  format);
}
HET_F __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x,
                                                      __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(
      make_float2(__het_half_value(x.x), __het_half_value(x.y)), saturate, format);
}
HET_F __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(
      make_float2(__het_bfloat_value(x.x), __het_bfloat_value(x.y)), saturate, format);
}
HET_F __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                             __nv_fp8_interpretation_t format) {
  __half2_raw made;
#if defined(__CUDA_ARCH__)
  if (format == __NV_E4M3)
    return HET_BIT_CAST(__half2_raw, __nv_half2_from_e4m3x2(x));
#endif
  made.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), format).x;
  made.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), format).x;
  return made;
}

// What is too large becomes the largest.
HET_F __nv_fp8_storage_t __het_fp8_encode(float x, __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, format);
}
HET_F __nv_fp8_storage_t __het_fp8_encode(double x, __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, format);
}
HET_F __nv_fp8x2_storage_t __het_fp8_encode(float low, float high,
                                            __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(make_float2(low, high), __NV_SATFINITE, format);
}
HET_F __nv_fp8x2_storage_t __het_fp8_encode(double low, double high,
                                            __nv_fp8_interpretation_t format) {
  return __het_fp8_encode(__het_odd(low), __het_odd(high), format);
}
