// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by half precision and bfloat16, where no type of theirs shows: values made odd,
// directed rounding, saturated integers.
//
// A value is made odd when its last digit is set wherever digits were lost. It
// may then be rounded once more, in any direction, as if it were exact.

#ifndef HET_SMALL_FLOAT_BITS_H
#define HET_SMALL_FLOAT_BITS_H

#include "../crt/host_defines.h"

#define HET_F static __host__ __device__ __inline__ __attribute__((always_inline, unused))

#if defined(__CUDA__)
#define HET_BIT_CAST(to, from) __builtin_bit_cast(to, from)
#else // not every host compiler has it
template <class To, class From>
static inline __attribute__((always_inline)) To __het_bit_cast(const From &from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}
#define HET_BIT_CAST(to, from) __het_bit_cast<to>(from)
#endif

enum { __het_to_zero, __het_up, __het_down };

// A sum, made odd. It must not overflow.
#define HET_ODD_SUM(type, unsigned_type)                                                 \
  HET_F type __het_odd_sum(type a, type b) {                                             \
    type sum = a + b, part = sum - a;                                                    \
    type error = (a - (sum - part)) + (b - part);                                        \
    unsigned_type bits = HET_BIT_CAST(unsigned_type, sum);                               \
    if ((error > 0 || error < 0) && !(bits & 1))                                         \
      bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;                             \
    return HET_BIT_CAST(type, bits);                                                     \
  }
HET_ODD_SUM(float, unsigned int)
HET_ODD_SUM(double, unsigned long long)
#undef HET_ODD_SUM

// To float, made odd
HET_F float __het_odd(double d) {
  float f = (float)d;
  unsigned int bits = HET_BIT_CAST(unsigned int, f);
  bool infinite = (bits & 0x7fffffffu) == 0x7f800000u;
  if (((double)f > d || (double)f < d) && !infinite && !(bits & 1)) {
    bool away = __builtin_fabs((double)f) > __builtin_fabs(d);
    bits = away ? bits - 1 : bits + 1;
  }
  return HET_BIT_CAST(float, bits);
}
HET_F float __het_odd(unsigned long long i) {
  if (i >> 24 == 0)
    return (float)(unsigned int)i;
  int shift = 40 - __builtin_clzll(i); // 24 bits are left
  unsigned long long kept = i >> shift;
  kept |= kept << shift != i;
  return (float)(unsigned int)kept *
         HET_BIT_CAST(float, (unsigned int)(127 + shift) << 23);
}
HET_F float __het_odd(long long i) {
  return i < 0 ? -__het_odd(0ull - (unsigned long long)i)
               : __het_odd((unsigned long long)i);
}
HET_F float __het_odd(int i) { return __het_odd((long long)i); }
HET_F float __het_odd(unsigned int i) { return __het_odd((unsigned long long)i); }
HET_F float __het_odd(long i) { return __het_odd((long long)i); }
HET_F float __het_odd(unsigned long i) { return __het_odd((unsigned long long)i); }
HET_F float __het_odd(short i) { return (float)i; }
HET_F float __het_odd(unsigned short i) { return (float)i; }

// The neighbour in the wanted direction of bits, which are of the value found
// and nearest to exact.
HET_F unsigned short __het_directed(unsigned short bits, float found, float exact,
                                    int direction) {
  bool negative = bits >> 15;
  if (direction == __het_to_zero)
    direction = negative ? __het_up : __het_down;
  if (direction == __het_up && found < exact)
    return (unsigned short)(negative ? bits - 1 : bits + 1);
  if (direction == __het_down && found > exact)
    return (unsigned short)(negative ? bits + 1 : bits - 1);
  return bits;
}

// To integers: saturated, NaN becomes 0 or, with 64 bits, the highest bit.
HET_F long long __het_saturate_ll(float r) {
  return !(r >= -9223372036854775808.0f) ? -0x7fffffffffffffffll - 1
         : r >= 9223372036854775808.0f   ? 0x7fffffffffffffffll
                                         : (long long)r;
}
HET_F unsigned long long __het_saturate_ull(float r) {
  return r != r                         ? 1ull << 63
         : r >= 18446744073709551616.0f ? ~0ull
         : r > 0                        ? (unsigned long long)r
                                        : 0;
}
HET_F int __het_saturate_int(float r) {
  return r != r                ? 0
         : r >= 2147483648.0f  ? 0x7fffffff
         : r <= -2147483648.0f ? -0x7fffffff - 1
                               : (int)r;
}
HET_F unsigned int __het_saturate_uint(float r) {
  return r >= 4294967296.0f ? ~0u : r > 0 ? (unsigned int)r : 0;
}
#if defined(__CUDA_ARCH__)
#define HET_TO_INTEGER(type, name, mode, round)                                          \
  HET_F type __het_to_##name##_##mode(float f) { return __float2##name##_##mode(f); }
#else
#define HET_TO_INTEGER(type, name, mode, round)                                          \
  HET_F type __het_to_##name##_##mode(float f) { return __het_saturate_##name(round(f)); }
#endif
#define HET_TO_INTEGERS(mode, round)                                                     \
  HET_TO_INTEGER(int, int, mode, round)                                                  \
  HET_TO_INTEGER(unsigned int, uint, mode, round)                                        \
  HET_TO_INTEGER(long long, ll, mode, round)                                             \
  HET_TO_INTEGER(unsigned long long, ull, mode, round)
HET_TO_INTEGERS(rn, __builtin_rintf)
HET_TO_INTEGERS(rz, __builtin_truncf)
HET_TO_INTEGERS(ru, __builtin_ceilf)
HET_TO_INTEGERS(rd, __builtin_floorf)
#undef HET_TO_INTEGERS
#undef HET_TO_INTEGER
HET_F int __het_clamp(int i, int least, int most) {
  return i < least ? least : i > most ? most : i;
}

// A number wins over a NaN, and -0 is less than +0.
#if defined(__CUDA_ARCH__)
HET_F float __het_fmax(float a, float b) { return ::max(a, b); }
HET_F float __het_fmin(float a, float b) { return ::min(a, b); }
#else
HET_F float __het_fmax(float a, float b) {
  if (a == b)
    return __builtin_signbit(a) ? b : a;
  return a > b || b != b ? a : b;
}
HET_F float __het_fmin(float a, float b) {
  if (a == b)
    return __builtin_signbit(a) ? a : b;
  return a < b || b != b ? a : b;
}
#endif

// Half precision. A host compiler need not have the type.
HET_F unsigned short __het_half_bits(float f) {
#if defined(__CUDA__)
  return HET_BIT_CAST(unsigned short, (_Float16)f);
#else
  unsigned int bits = HET_BIT_CAST(unsigned int, f);
  unsigned int sign = bits >> 16 & 0x8000u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u)
    return 0x7fff;
  if (bits >= 0x47800000u) // 65536
    return (unsigned short)(sign | 0x7c00u);
  if (bits < 0x38800000u) { // subnormal: the sum's last digit is half's
    float sum = HET_BIT_CAST(float, bits) + 0.5f;
    return (unsigned short)(sign | (HET_BIT_CAST(unsigned int, sum) - 0x3f000000u));
  }
  bits += 0xfffu + (bits >> 13 & 1) - 0x38000000u;
  return (unsigned short)(sign | bits >> 13);
#endif
}
HET_F float __het_half_value(unsigned short bits) {
#if defined(__CUDA__)
  return (float)HET_BIT_CAST(_Float16, bits);
#else
  unsigned int sign = (unsigned int)(bits & 0x8000) << 16;
  unsigned int rest = bits & 0x7fffu;
  if (rest < 0x400u) {
    float value = (float)(int)rest * (1.0f / 16777216.0f);
    return HET_BIT_CAST(float, sign | HET_BIT_CAST(unsigned int, value));
  }
  unsigned int bias = rest >= 0x7c00u ? 0x70000000u : 0x38000000u;
  return HET_BIT_CAST(float, sign | ((rest << 13) + bias));
#endif
}

// Bfloat16: to nearest, ties to even; every NaN becomes CUDA's own.
#if defined(__CUDA_ARCH__)
extern "C" __device__
    __attribute__((const, nothrow)) unsigned short __nv_float2bfloat_rn(float);
HET_F unsigned short __het_bfloat_bits(float f) { return __nv_float2bfloat_rn(f); }
#else
HET_F unsigned short __het_bfloat_bits(float f) {
  unsigned int bits = HET_BIT_CAST(unsigned int, f);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
#endif
HET_F float __het_bfloat_value(unsigned short bits) {
  return HET_BIT_CAST(float, (unsigned int)bits << 16);
}

#undef HET_F

#endif // HET_SMALL_FLOAT_BITS_H
