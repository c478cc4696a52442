/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions on the four bytes of words, as operations of vectors: for machines that have
 * those, or make vectors of many threads' words (byte_words.c has them for the others).
 */
#include "math.h"

typedef int8_t s8x4 __attribute__((ext_vector_type(4)));
typedef uint8_t u8x4 __attribute__((ext_vector_type(4)));
typedef i32 i32x4 __attribute__((ext_vector_type(4)));

#define WORD(v) __builtin_bit_cast(u32, v)
#define WIDE(v) __builtin_convertvector(v, i32x4)
#define NARROW(v, type) __builtin_convertvector(v, type)
#define BYTES_1(name, type, expression)                                                  \
  HET_MATH u32 __het_##name##_i32(u32 x) {                                               \
    type a = __builtin_bit_cast(type, x);                                                \
    return WORD((type)(expression));                                                     \
  }
#define BYTES_2(name, type, expression)                                                  \
  HET_MATH u32 __het_##name##_i32(u32 x, u32 y) {                                        \
    type a = __builtin_bit_cast(type, x), b = __builtin_bit_cast(type, y);               \
    return WORD((type)(expression));                                                     \
  }

BYTES_2(vadd4, u8x4, a + b)
BYTES_2(vsub4, u8x4, a - b)
BYTES_2(vaddss4, s8x4, __builtin_elementwise_add_sat(a, b))
BYTES_2(vaddus4, u8x4, __builtin_elementwise_add_sat(a, b))
BYTES_2(vsubss4, s8x4, __builtin_elementwise_sub_sat(a, b))
BYTES_2(vsubus4, u8x4, __builtin_elementwise_sub_sat(a, b))
BYTES_2(vmaxs4, s8x4, __builtin_elementwise_max(a, b))
BYTES_2(vmaxu4, u8x4, __builtin_elementwise_max(a, b))
BYTES_2(vmins4, s8x4, __builtin_elementwise_min(a, b))
BYTES_2(vminu4, u8x4, __builtin_elementwise_min(a, b))
BYTES_2(vcmpeq4, u8x4, a == b)
BYTES_2(vcmpne4, u8x4, a != b)
BYTES_2(vcmpges4, s8x4, a >= b)
BYTES_2(vcmpgeu4, u8x4, a >= b)
BYTES_2(vcmpgts4, s8x4, a > b)
BYTES_2(vcmpgtu4, u8x4, a > b)
BYTES_1(vabs4, s8x4, __builtin_elementwise_abs(a))
BYTES_1(vneg4, u8x4, -a)
BYTES_1(vnegss4, s8x4, -__builtin_elementwise_max(a, (s8x4)-127))
BYTES_1(vabsss4, s8x4,
        __builtin_elementwise_max(a, -__builtin_elementwise_max(a, (s8x4)-127)))

/* Sums halved: rounded down, up, and a half away from zero. */
BYTES_2(vhaddu4, u8x4, NARROW((WIDE(a) + WIDE(b)) >> 1, u8x4))
BYTES_2(vavgu4, u8x4, NARROW((WIDE(a) + WIDE(b) + 1) >> 1, u8x4))
HET_LOCAL i32x4 halve(i32x4 sum) { return (sum - (sum >= 0)) >> 1; }
BYTES_2(vavgs4, s8x4, NARROW(halve(WIDE(a) + WIDE(b)), s8x4))

/* Differences without their sign, and their sums. */
BYTES_2(vabsdiffu4, u8x4,
        __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))
BYTES_2(vabsdiffs4, s8x4, NARROW(__builtin_elementwise_abs(WIDE(a) - WIDE(b)), s8x4))
#define SUM(name, type)                                                                  \
  HET_MATH u32 __het_##name##_i32(u32 x, u32 y) {                                        \
    i32x4 a = WIDE(__builtin_bit_cast(type, x)), b = WIDE(__builtin_bit_cast(type, y));  \
    return (u32)__builtin_reduce_add(__builtin_elementwise_abs(a - b));                  \
  }
SUM(vsadu4, u8x4)
SUM(vsads4, s8x4)
