// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of the formats of 6 and 4 bits, which have neither infinities nor NaN: what
// is too large becomes the largest value, NaN the largest positive one. HET_NARROW_NAME
// is fp6 or fp4, HET_NARROW_WIDTH and HET_NARROW_DIGITS(format) say how long it is.

#if !defined(HET_NARROW_NAME)
#error "__het/narrow_float_convert.h is a part of cuda_fp6.h and cuda_fp4.h"
#endif

#define HET_JOIN_3(a, b, c) a##b##c
#define HET_JOIN(a, b, c) HET_JOIN_3(a, b, c)
#define HET_TO(from, suffix) HET_JOIN(__nv_cvt_##from##_to_, HET_NARROW_NAME, suffix)
#define HET_FROM(suffix, to) HET_JOIN(__nv_cvt_, HET_NARROW_NAME, suffix##_to_##to)
#define HET_STORAGE(suffix) HET_JOIN(__nv_, HET_NARROW_NAME, suffix##_storage_t)
#define HET_FORMAT HET_JOIN(__nv_, HET_NARROW_NAME, _interpretation_t)
#define HET_DECODE HET_JOIN(__het_, HET_NARROW_NAME, _value)

HET_F HET_STORAGE()
    HET_TO(double, )(double x, HET_FORMAT format, enum cudaRoundMode round) {
  const int width = HET_NARROW_WIDTH, digits = HET_NARROW_DIGITS(format);
  const unsigned largest = (1u << (width - 1)) - 1u;
  if (x != x)
    return (HET_STORAGE())largest;
  const int bias = (1 << (width - 2 - digits)) - 1;
  const unsigned code = __het_narrow_code(x, digits, bias, round);
  return (HET_STORAGE())(__het_narrow_sign(x, width - 1) |
                         (code > largest ? largest : code));
}
HET_F float HET_DECODE(HET_STORAGE() code, HET_FORMAT format) {
  const int width = HET_NARROW_WIDTH, digits = HET_NARROW_DIGITS(format);
  return __het_narrow_value(code, width, digits, (1 << (width - 2 - digits)) - 1);
}

// One value, and pairs, of which the first has the lower bits.
#define HET_CONVERSION(from, type, value)                                                \
  HET_F HET_STORAGE()                                                                    \
      HET_TO(from, )(type x, HET_FORMAT format, enum cudaRoundMode round) {              \
    return HET_TO(double, )((double)(value), format, round);                             \
  }
HET_CONVERSION(float, float, x)
HET_CONVERSION(halfraw, __half_raw, __het_half_value(x.x))
HET_CONVERSION(bfloat16raw, __nv_bfloat16_raw, __het_bfloat_value(x.x))
#undef HET_CONVERSION
#define HET_CONVERSION(from, type, first, second)                                        \
  HET_F HET_STORAGE(x2)                                                                  \
      HET_TO(from, x2)(type x, HET_FORMAT format, enum cudaRoundMode round) {            \
    return (HET_STORAGE(x2))(HET_TO(double, )((double)(first), format, round) |          \
                             HET_TO(double, )((double)(second), format, round)           \
                                 << HET_NARROW_STEP);                                    \
  }
HET_CONVERSION(double2, double2, x.x, x.y)
HET_CONVERSION(float2, float2, x.x, x.y)
HET_CONVERSION(halfraw2, __half2_raw, __het_half_value(x.x), __het_half_value(x.y))
HET_CONVERSION(bfloat16raw2, __nv_bfloat162_raw, __het_bfloat_value(x.x),
               __het_bfloat_value(x.y))
#undef HET_CONVERSION

HET_F __half_raw HET_FROM(, halfraw)(HET_STORAGE() x, HET_FORMAT format) {
  __half_raw made;
  made.x = __het_half_bits(HET_DECODE(x, format));
  return made;
}
HET_F __half2_raw HET_FROM(x2, halfraw2)(HET_STORAGE(x2) x, HET_FORMAT format) {
  __half2_raw made;
  made.x = HET_FROM(, halfraw)((HET_STORAGE())x, format).x;
  made.y = HET_FROM(, halfraw)((HET_STORAGE())(x >> HET_NARROW_STEP), format).x;
  return made;
}

#undef HET_JOIN_3
#undef HET_JOIN
#undef HET_TO
#undef HET_FROM
#undef HET_STORAGE
#undef HET_FORMAT
#undef HET_DECODE
