/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions on the four bytes of words, within the word: for machines without vectors of
 * bytes. The highest bit of each byte is kept out of sums, so that nothing is carried
 * into the next byte, and put in after them (Warren, Hacker's Delight, 2-18). A byte's
 * truth is its highest bit until spread() makes all its bits of it.
 */
#include "math.h"

#define HIGH 0x80808080u
#define LOW 0x7f7f7f7fu
#define ODD 0xfefefefeu /* without the lowest bits, which a shift hands on */

/* What targets may have an instruction for stays a call of its own. */
#define HET_INSTRUCTION HET_MATH __attribute__((noinline))

/* The highest bit of each byte, in all its bits. */
HET_INSTRUCTION u32 __het_spread_high_i32(u32 x) {
  return (x >> 7 & 0x01010101u) * 0xffu;
}

/* y & LOW taken away from x | HIGH: the highest bits say where nothing was borrowed. */
HET_LOCAL u32 sumOfLow(u32 x, u32 y) { return (x & LOW) + (y & LOW); }
HET_LOCAL u32 differenceOfLow(u32 x, u32 y) { return (x | HIGH) - (y & LOW); }
HET_LOCAL u32 add(u32 x, u32 y) { return sumOfLow(x, y) ^ ((x ^ y) & HIGH); }
HET_LOCAL u32 subtract(u32 x, u32 y) { return differenceOfLow(x, y) ^ (~(x ^ y) & HIGH); }

/* Comparisons: a byte's highest bit says whether it is true. */
HET_LOCAL u32 geu(u32 x, u32 y) { return (x & ~y) | (~(x ^ y) & differenceOfLow(x, y)); }
HET_LOCAL u32 gtu(u32 x, u32 y) { return (x & ~y) | (~(x ^ y) & sumOfLow(x, ~y)); }
HET_LOCAL u32 ges(u32 x, u32 y) { return (~x & y) | (~(x ^ y) & differenceOfLow(x, y)); }
HET_LOCAL u32 gts(u32 x, u32 y) { return (~x & y) | (~(x ^ y) & sumOfLow(x, ~y)); }
HET_LOCAL u32 differs(u32 x, u32 y) { return sumOfLow(x ^ y, LOW) | (x ^ y); }

HET_LOCAL u32 spread(u32 truth) { return __het_spread_high_i32(truth); }
HET_LOCAL u32 select(u32 mask, u32 x, u32 y) { return (x & mask) | (y & ~mask); }

#define WORD_1(name) HET_MATH u32 __het_##name##_word_i32(u32 x)
#define WORD_2(name) HET_MATH u32 __het_##name##_word_i32(u32 x, u32 y)

WORD_2(vadd4) { return add(x, y); }
WORD_2(vsub4) { return subtract(x, y); }
WORD_1(vneg4) { return subtract(0, x); }
WORD_2(vcmpeq4) { return spread(~differs(x, y)); }
WORD_2(vcmpne4) { return spread(differs(x, y)); }
WORD_2(vcmpges4) { return spread(ges(x, y)); }
WORD_2(vcmpgeu4) { return spread(geu(x, y)); }
WORD_2(vcmpgts4) { return spread(gts(x, y)); }
WORD_2(vcmpgtu4) { return spread(gtu(x, y)); }
WORD_2(vmaxs4) { return select(spread(gts(x, y)), x, y); }
WORD_2(vmaxu4) { return select(spread(gtu(x, y)), x, y); }
WORD_2(vmins4) { return select(spread(gts(x, y)), y, x); }
WORD_2(vminu4) { return select(spread(gtu(x, y)), y, x); }

/* Saturated: where the highest bit was carried or borrowed, or the sign is wrong. */
WORD_2(vaddus4) {
  u32 low = sumOfLow(x, y), isCarried = (x & y) | ((x | y) & low);
  return (low ^ ((x ^ y) & HIGH)) | spread(isCarried);
}
WORD_2(vsubus4) {
  u32 low = differenceOfLow(x, y), isEnough = (x & ~y) | (~(x ^ y) & low);
  return (low ^ (~(x ^ y) & HIGH)) & spread(isEnough);
}
HET_LOCAL u32 saturate(u32 isWrong, u32 x, u32 result) {
  return select(spread(isWrong), spread(x) ^ LOW, result);
}
WORD_2(vaddss4) {
  u32 sum = add(x, y);
  return saturate(~(x ^ y) & (x ^ sum), x, sum);
}
WORD_2(vsubss4) {
  u32 difference = subtract(x, y);
  return saturate((x ^ y) & (x ^ difference), x, difference);
}
WORD_1(vnegss4) {
  u32 result = subtract(0, x);
  return result ^ spread(result & x); /* only -128 keeps its sign */
}

/* Sums halved: of the bits that both have, and half of the others. */
WORD_2(vhaddu4) { return (x & y) + (((x ^ y) & ODD) >> 1); }
WORD_2(vavgu4) { return (x | y) - (((x ^ y) & ODD) >> 1); }
WORD_2(vavgs4) { /* with 128 added to each; up where the half is not negative */
  u32 odd = x ^ y, half = ((x ^ HIGH) & (y ^ HIGH)) + ((odd & ODD) >> 1);
  return (half + (odd & half >> 7 & 0x01010101u)) ^ HIGH;
}

/* Differences without their sign, and their sums. Signed bytes keep their distance when
   128 is added to each. */
HET_INSTRUCTION u32 __het_vabsdiffu4_word_i32(u32 x, u32 y) {
  u32 isGreater = spread(gtu(x, y));
  return select(isGreater, x, y) - select(isGreater, y, x);
}
HET_INSTRUCTION u32 __het_vsadu4_word_i32(u32 x, u32 y) {
  u32 distances = __het_vabsdiffu4_word_i32(x, y);
  u32 pairs = (distances & 0xff00ffu) + (distances >> 8 & 0xff00ffu);
  return (pairs & 0xffffu) + (pairs >> 16);
}
WORD_2(vabsdiffs4) { return __het_vabsdiffu4_word_i32(x ^ HIGH, y ^ HIGH); }
WORD_2(vsads4) { return __het_vsadu4_word_i32(x ^ HIGH, y ^ HIGH); }
WORD_1(vabs4) { return __het_vabsdiffu4_word_i32(x ^ HIGH, HIGH); }
WORD_1(vabsss4) {
  u32 result = __het_vabsdiffu4_word_i32(x ^ HIGH, HIGH);
  return result ^ spread(result);
}
