// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of a 16-bit floating type from and to float, double and integers,
// with a stated rounding, and reinterpretations of bits.

#if !defined(HET_F)
#error "__het/small_float_convert.h is a part of __het/small_float.h"
#endif

HET_F HET_T HET_NAMED(__float2, )(float a) { return HET_FROM(a); }
#if defined(__CUDA_ARCH__)
HET_F HET_T HET_NAMED(__double2, )(double a) {
  return HET_BITS(HET_DEVICE_FROM(double_rn)(a));
}
#else
HET_F HET_T HET_NAMED(__double2, )(double a) { return HET_FROM(__het_odd(a)); }
#endif
HET_F float HET_NAMED(__, 2float)(HET_T a) { return HET_TO(a); }

HET_F HET_T __het_convert_rn(float a, HET_T) { return HET_FROM(a); }
#if defined(__CUDA_ARCH__)
#define HET_DIRECTED(mode, direction)                                                    \
  HET_F HET_T __het_convert_##mode(float a, HET_T) {                                     \
    return HET_BITS(HET_DEVICE_FROM(float_##mode)(a));                                   \
  }
#define HET_FROM_INTEGER(name, type, from, mode)                                         \
  HET_F HET_T HET_NAMED(__##name##2, _##mode)(type a) {                                  \
    return HET_BITS(HET_DEVICE_FROM(from##_##mode)(a));                                  \
  }
#else
#define HET_DIRECTED(mode, direction)                                                    \
  HET_F HET_T __het_convert_##mode(float a, HET_T) {                                     \
    unsigned short bits = HET_ENCODE(a);                                                 \
    return HET_BITS(__het_directed(bits, HET_DECODE(bits), a, direction));               \
  }
#define HET_FROM_INTEGER(name, type, from, mode)                                         \
  HET_F HET_T HET_NAMED(__##name##2, _##mode)(type a) {                                  \
    return __het_convert_##mode(__het_odd(a), HET_T());                                  \
  }
#endif
HET_DIRECTED(rz, __het_to_zero)
HET_DIRECTED(ru, __het_up)
HET_DIRECTED(rd, __het_down)
#undef HET_DIRECTED

#define HET_TO_INTEGER(name, type, mode)                                                 \
  HET_F type HET_NAMED(__, 2##name##_##mode)(HET_T a) {                                  \
    return __het_to_##name##_##mode(HET_TO(a));                                          \
  }
#define HET_TO_CLAMPED(name, type, mode, least, most)                                    \
  HET_F type HET_NAMED(__, 2##name##_##mode)(HET_T a) {                                  \
    return (type)__het_clamp(__het_to_int_##mode(HET_TO(a)), least, most);               \
  }
#define HET_MODE(mode)                                                                   \
  HET_F HET_T HET_NAMED(__float2, _##mode)(float a) {                                    \
    return __het_convert_##mode(a, HET_T());                                             \
  }                                                                                      \
  HET_FROM_INTEGER(short, short, int, mode)                                              \
  HET_FROM_INTEGER(ushort, unsigned short, uint, mode)                                   \
  HET_FROM_INTEGER(int, int, int, mode)                                                  \
  HET_FROM_INTEGER(uint, unsigned int, uint, mode)                                       \
  HET_FROM_INTEGER(ll, long long, ll, mode)                                              \
  HET_FROM_INTEGER(ull, unsigned long long, ull, mode)                                   \
  HET_TO_CLAMPED(short, short, mode, -32768, 32767)                                      \
  HET_TO_CLAMPED(ushort, unsigned short, mode, 0, 65535)                                 \
  HET_TO_INTEGER(int, int, mode)                                                         \
  HET_TO_INTEGER(uint, unsigned int, mode)                                               \
  HET_TO_INTEGER(ll, long long, mode)                                                    \
  HET_TO_INTEGER(ull, unsigned long long, mode)
HET_MODE(rn)
HET_MODE(rz)
HET_MODE(ru)
HET_MODE(rd)
HET_TO_CLAMPED(char, signed char, rz, -128, 127)
HET_TO_CLAMPED(uchar, unsigned char, rz, 0, 255)
#undef HET_MODE
#undef HET_TO_CLAMPED
#undef HET_TO_INTEGER
#undef HET_FROM_INTEGER

HET_F short HET_NAMED(__, _as_short)(HET_T a) { return (short)a.__x; }
HET_F unsigned short HET_NAMED(__, _as_ushort)(HET_T a) { return a.__x; }
HET_F HET_T HET_NAMED(__short_as_, )(short a) { return HET_BITS((unsigned short)a); }
HET_F HET_T HET_NAMED(__ushort_as_, )(unsigned short a) { return HET_BITS(a); }
