// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SIMD-in-a-word functions: __vadd2, __vmaxs4, __vcmpgtu4 and their kin, on
// two halves or four bytes of a 32-bit word.

#ifndef HET_DEVICE_SIMD_H
#define HET_DEVICE_SIMD_H

#include "../crt/host_defines.h"

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

// Functions on the four bytes of a word, which the device library has.
#define HET_BYTES_1(name)                                                                \
  extern "C" __device__ __attribute__((const, nothrow)) unsigned int __nv_##name(        \
      unsigned int);                                                                     \
  HET_INLINE unsigned int __##name(unsigned int x) { return __nv_##name(x); }
#define HET_BYTES_2(name)                                                                \
  extern "C" __device__ __attribute__((const, nothrow)) unsigned int __nv_##name(        \
      unsigned int, unsigned int);                                                       \
  HET_INLINE unsigned int __##name(unsigned int x, unsigned int y) {                     \
    return __nv_##name(x, y);                                                            \
  }
#include "byte_functions.def"

#define HET_REVERSED(name, of)                                                           \
  HET_INLINE unsigned int __##name(unsigned int x, unsigned int y) {                     \
    return __##of(y, x);                                                                 \
  }
HET_REVERSED(vcmples4, vcmpges4)
HET_REVERSED(vcmpleu4, vcmpgeu4)
HET_REVERSED(vcmplts4, vcmpgts4)
HET_REVERSED(vcmpltu4, vcmpgtu4)
#undef HET_REVERSED
#define HET_SET(name)                                                                    \
  HET_INLINE unsigned int __vset##name##4(unsigned int x, unsigned int y) {              \
    return __vcmp##name##4(x, y) & 0x01010101u;                                          \
  }
HET_SET(eq)
HET_SET(ne)
HET_SET(ges)
HET_SET(geu)
HET_SET(gts)
HET_SET(gtu)
HET_SET(les)
HET_SET(leu)
HET_SET(lts)
HET_SET(ltu)
#undef HET_SET

// Functions on the two 16-bit integers of a word.
typedef short __het_s2 __attribute__((ext_vector_type(2)));
typedef unsigned short __het_u2 __attribute__((ext_vector_type(2)));
typedef int __het_w2 __attribute__((ext_vector_type(2)));

#define HET_WORD(v) __builtin_bit_cast(unsigned int, v)
// name##lanes of one and of two words; a and b are vectors of `type`
#define HET_SIMD_1(name, type, expression)                                               \
  HET_INLINE unsigned int name(unsigned int x) {                                         \
    type a = __builtin_bit_cast(type, x);                                                \
    return HET_WORD((type)(expression));                                                 \
  }
#define HET_SIMD_2(name, type, expression)                                               \
  HET_INLINE unsigned int name(unsigned int x, unsigned int y) {                         \
    type a = __builtin_bit_cast(type, x), b = __builtin_bit_cast(type, y);               \
    return HET_WORD((type)(expression));                                                 \
  }
#define HET_WIDE(v, n) __builtin_convertvector(v, __het_w##n)
#define HET_NARROW(v, type) __builtin_convertvector(v, type)

// A sum halved; a half is rounded away from zero.
HET_INLINE __het_w2 __het_halve(__het_w2 sum) { return (sum - (sum >= 0)) >> 1; }

// Comparisons give all ones, or with `set` a one, in each true lane.
#define HET_COMPARE(name, n, type, op)                                                   \
  HET_SIMD_2(__vcmp##name##n, type, a op b)                                              \
  HET_SIMD_2(__vset##name##n, type, (type)(a op b) & (type)1)

#define HET_SIMD(n)                                                                      \
  HET_SIMD_2(__vadd##n, __het_u##n, a + b)                                               \
  HET_SIMD_2(__vsub##n, __het_u##n, a - b)                                               \
  HET_SIMD_2(__vaddss##n, __het_s##n, __builtin_elementwise_add_sat(a, b))               \
  HET_SIMD_2(__vaddus##n, __het_u##n, __builtin_elementwise_add_sat(a, b))               \
  HET_SIMD_2(__vsubss##n, __het_s##n, __builtin_elementwise_sub_sat(a, b))               \
  HET_SIMD_2(__vsubus##n, __het_u##n, __builtin_elementwise_sub_sat(a, b))               \
  HET_SIMD_2(__vmaxs##n, __het_s##n, __builtin_elementwise_max(a, b))                    \
  HET_SIMD_2(__vmaxu##n, __het_u##n, __builtin_elementwise_max(a, b))                    \
  HET_SIMD_2(__vmins##n, __het_s##n, __builtin_elementwise_min(a, b))                    \
  HET_SIMD_2(__vminu##n, __het_u##n, __builtin_elementwise_min(a, b))                    \
  HET_SIMD_1(__vabs##n, __het_s##n, __builtin_elementwise_abs(a))                        \
  HET_SIMD_1(__vneg##n, __het_u##n, -a)                                                  \
  HET_SIMD_1(__vnegss##n, __het_s##n,                                                    \
             -__builtin_elementwise_max(a, (__het_s##n) - 32767))                        \
  HET_SIMD_2(__vhaddu##n, __het_u##n,                                                    \
             HET_NARROW((HET_WIDE(a, n) + HET_WIDE(b, n)) >> 1, __het_u##n))             \
  HET_SIMD_2(__vavgu##n, __het_u##n,                                                     \
             HET_NARROW((HET_WIDE(a, n) + HET_WIDE(b, n) + 1) >> 1, __het_u##n))         \
  HET_SIMD_2(__vavgs##n, __het_s##n,                                                     \
             HET_NARROW(__het_halve(HET_WIDE(a, n) + HET_WIDE(b, n)), __het_s##n))       \
  HET_SIMD_2(__vabsdiffu##n, __het_u##n,                                                 \
             __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))          \
  HET_SIMD_2(__vabsdiffs##n, __het_s##n,                                                 \
             HET_NARROW(__builtin_elementwise_abs(HET_WIDE(a, n) - HET_WIDE(b, n)),      \
                        __het_s##n))                                                     \
  HET_COMPARE(eq, n, __het_u##n, ==)                                                     \
  HET_COMPARE(ne, n, __het_u##n, !=)                                                     \
  HET_COMPARE(ges, n, __het_s##n, >=)                                                    \
  HET_COMPARE(geu, n, __het_u##n, >=)                                                    \
  HET_COMPARE(gts, n, __het_s##n, >)                                                     \
  HET_COMPARE(gtu, n, __het_u##n, >)                                                     \
  HET_COMPARE(les, n, __het_s##n, <=)                                                    \
  HET_COMPARE(leu, n, __het_u##n, <=)                                                    \
  HET_COMPARE(lts, n, __het_s##n, <)                                                     \
  HET_COMPARE(ltu, n, __het_u##n, <)                                                     \
  HET_INLINE unsigned int __vabsss##n(unsigned int x) {                                  \
    return __vmaxs##n(x, __vnegss##n(x));                                                \
  }                                                                                      \
  HET_INLINE unsigned int __vsadu##n(unsigned int x, unsigned int y) {                   \
    return (unsigned int)__builtin_reduce_add(                                           \
        HET_WIDE(__builtin_bit_cast(__het_u##n, __vabsdiffu##n(x, y)), n));              \
  }                                                                                      \
  HET_INLINE unsigned int __vsads##n(unsigned int x, unsigned int y) {                   \
    return (unsigned int)__builtin_reduce_add(                                           \
        __builtin_elementwise_abs(HET_WIDE(__builtin_bit_cast(__het_s##n, x), n) -       \
                                  HET_WIDE(__builtin_bit_cast(__het_s##n, y), n)));      \
  }
HET_SIMD(2)

#undef HET_SIMD
#undef HET_COMPARE
#undef HET_NARROW
#undef HET_WIDE
#undef HET_SIMD_1
#undef HET_SIMD_2
#undef HET_WORD
#undef HET_INLINE

#endif // HET_DEVICE_SIMD_H
