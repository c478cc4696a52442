/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Square roots: 32 bits by a reciprocal root that is never too large (Newton's method),
 * then what remains of the radicand, divided by twice the root. The remainder is exact,
 * modulo 2^64.
 */
#include "SoftFloatParts.h"

/*
 * 2^47 / sqrt(a), for a of at least 2^30: at most that, and less by no more than 5
 * (tried for all a). a stands for a / 2^32, the result for y / 2^31.
 */
LOCAL u32 reciprocalRoot(u32 a) {
  /* The quadratic polynomial of least relative error, 0.024, over [1/4, 1]. */
  u32 slope = 0xd2434869u - high32(a, 0x68de4bc3u);
  u32 y = (0xaaeef78eu - high32(a, slope)) << 1;
  /* y (3 - a y^2) / 2, the second factor rounded down. */
  y = (u32)((u64)y * (0xbffffffeu - high32(a, high32(y, y))) >> 31);
  y = (u32)((u64)y * (0xbffffffeu - high32(a, high32(y, y))) >> 31);
  return (u32)((u64)y * (0xbffffffeu - high32(a, high32(y, y))) >> 31);
}

uint64_t __het_soft_sqrt_f64(uint64_t a) {
  if (!size64(a) || isNan64(a) || a == INF64)
    return a;
  if (a & SIGN64)
    return NAN64;
  Number64 x = number64(a);
  u64 radicand = x.fraction << (11 - (x.exponent & 1));
  u32 y = reciprocalRoot((u32)(radicand >> 32));
  u64 root = (radicand >> 32) * y >> 31;
  u64 rest = radicand - root * root;
  /* The next 26 bits, one less so that they are not too many. */
  u64 next = ((rest >> 8) * y >> 30) - 1;
  root <<= 26;
  rest = (rest << 52) - (2 * root + next) * next;
  root += next;
  next = (rest >> 32) * y >> 58;
  rest -= (2 * root + next) * next;
  root += next;
  u32 more = rest > 2 * root;
  rest -= more ? 2 * root + 1 : 0;
  root += more; /* floor(2^26 sqrt(radicand)) */
  return round64(0, (x.exponent + 1023) >> 1, root << 6 | (rest != 0));
}

uint32_t __het_soft_sqrt_f32(uint32_t a) {
  if (!size32(a) || isNan32(a) || a == INF32)
    return a;
  if (a & SIGN32)
    return NAN32;
  Number32 x = number32(a);
  u32 radicand = x.fraction << (8 - (x.exponent & 1));
  u32 y = reciprocalRoot(radicand);
  u64 root = (u64)radicand * y >> 31;
  u64 rest = ((u64)radicand << 32) - root * root;
  u64 next = (rest >> 8) * y >> 56;
  rest -= (2 * root + next) * next;
  root += next;
  u32 more = rest > 2 * root;
  rest -= more ? 2 * root + 1 : 0;
  root += more; /* floor(2^16 sqrt(radicand)) */
  return round32(0, (x.exponent + 127) >> 1, (u32)root | (rest != 0));
}
