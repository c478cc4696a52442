/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operations on the parts of words: what a GPU has an instruction for and others make of
 * shifts and multiplications.
 */
#include "math.h"

typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;

/* c + the sum of the products of four bytes; the letters say which words' are signed. */
#define DOT4(signs, first, second)                                                       \
  HET_MATH u32 __het_dot4_##signs##_i32(u32 a, u32 b, u32 c) {                           \
    for (int i = 0; i < 32; i += 8)                                                      \
      c += (u32)((i32)(first)(a >> i) * (i32)(second)(b >> i));                          \
    return c;                                                                            \
  }
DOT4(ss, s8, s8)
DOT4(su, s8, u8)
DOT4(us, u8, s8)
DOT4(uu, u8, u8)

/* c + the sum of the products of a's halves and two bytes of b, its lower or upper ones.
 */
#define DOT2(part, shift, signs, first, second)                                          \
  HET_MATH u32 __het_dot2_##part##_##signs##_i32(u32 a, u32 b, u32 c) {                  \
    return c + (u32)(first)a * (u32)(second)(b >> (shift)) +                             \
           (u32)(first)(a >> 16) * (u32)(second)(b >> ((shift) + 8));                    \
  }
#define DOT2_PARTS(signs, first, second)                                                 \
  DOT2(lo, 0, signs, first, second)                                                      \
  DOT2(hi, 16, signs, first, second)
DOT2_PARTS(ss, s16, s8)
DOT2_PARTS(su, s16, u8)
DOT2_PARTS(us, u16, s8)
DOT2_PARTS(uu, u16, u8)

/* Four bytes of the eight in high:low, or eight copies of their signs: of each of four
   selectors bits 0 to 2 say which, and bit 3 asks for the sign. */
HET_MATH u32 __het_permute_bytes_i32(u32 low, u32 high, u32 selectors) {
  const u64 pool = (u64)high << 32 | low;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    u32 selector = selectors >> 4 * i, byte = (u8)(pool >> (selector & 7) * 8);
    u32 sign = (u8)((s8)byte >> 7);
    result |= (selector & 8 ? sign : byte) << 8 * i;
  }
  return result;
}
