/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fused multiply-adds: the whole product and the addend as words of twice the size. Where
 * digits of one of them are lost at the end, the other one is so much larger that at most
 * one digit cancels.
 */
#include "SoftFloatParts.h"

/* Where a factor is 0, infinite or NaN, or the addend infinite or NaN. */
LOCAL u64 special64(u64 a, u64 b, u64 c) {
  u64 x = size64(a), y = size64(b), z = size64(c), sign = (a ^ b) & SIGN64;
  if (x > INF64 || y > INF64 || z > INF64)
    return NAN64;
  i32 isInfinite = x == INF64 || y == INF64;
  if (isInfinite && (!x || !y || (z == INF64 && (c & SIGN64) != sign)))
    return NAN64;
  if (isInfinite)
    return sign | INF64;
  return z ? c : sign & c; /* the product is 0, or the addend infinite */
}
LOCAL u32 special32(u32 a, u32 b, u32 c) {
  u32 x = size32(a), y = size32(b), z = size32(c), sign = (a ^ b) & SIGN32;
  if (x > INF32 || y > INF32 || z > INF32)
    return NAN32;
  i32 isInfinite = x == INF32 || y == INF32;
  if (isInfinite && (!x || !y || (z == INF32 && (c & SIGN32) != sign)))
    return NAN32;
  if (isInfinite)
    return sign | INF32;
  return z ? c : sign & c;
}

/* Shifts a number below 2^127 right, sticky. */
LOCAL Product stickyPair(Product a, u32 count) {
  count = count < 127 ? count : 127;
  u32 down = count & 63;
  u64 lost = down ? a.low << (64 - down) : 0;
  u64 across = down ? a.high << (64 - down) : 0;
  Product r = {a.low >> down | across, a.high >> down};
  if (count > 63) {
    lost |= r.low;
    r.low = r.high;
    r.high = 0;
  }
  r.low |= lost != 0;
  return r;
}

uint64_t __het_soft_fma_f64(uint64_t a, uint64_t b, uint64_t c) {
  if (RARE(!isNormal64(a) | !isNormal64(b) | !isNormal64(c)))
    if (field64(a) == 2047 || field64(b) == 2047 || field64(c) == 2047 || !size64(a) ||
        !size64(b))
      return special64(a, b, c);
  u64 sign = (a ^ b) & SIGN64;
  i32 differ = (i32)((sign ^ c) >> 63);
  /* The exponents belong to bit 126. */
  Number64 x = number64(a), y = number64(b);
  Product p = product64(x.fraction << 10, y.fraction << 11);
  Product z = {0, fraction64(c) << 10};
  i32 exponent = x.exponent + y.exponent - 1022;
  i32 apart = exponent - exponent64(c);
  if (apart > 0) {
    z = stickyPair(z, (u32)apart);
  } else if (apart < 0) {
    p = stickyPair(p, (u32)-apart);
    exponent -= apart;
  }
  u64 mask = -(u64)differ; /* p - z = p + ~z + 1 */
  Product s;
  s.low = p.low + (z.low ^ mask) + (u64)differ;
  u64 carry = differ ? p.low >= z.low : s.low < p.low;
  s.high = p.high + (z.high ^ mask) + carry;
  if (differ && s.high >> 63) { /* the addend is larger */
    s.high = ~s.high + (s.low == 0);
    s.low = -s.low;
    sign ^= SIGN64;
  }
  if (!s.high) {
    s.high = s.low;
    s.low = 0;
    exponent -= 64;
  }
  if (!s.high)
    return 0;
  u32 up = zeros64(s.high);
  u64 significand = s.high << up | (up ? s.low >> (64 - up) : 0);
  significand |= s.low << up != 0;
  return round64(sign, exponent + 1 - (i32)up, significand);
}

uint32_t __het_soft_fma_f32(uint32_t a, uint32_t b, uint32_t c) {
  if (RARE(!isNormal32(a) | !isNormal32(b) | !isNormal32(c)))
    if (field32(a) == 255 || field32(b) == 255 || field32(c) == 255 || !size32(a) ||
        !size32(b))
      return special32(a, b, c);
  u32 sign = (a ^ b) & SIGN32;
  i32 differ = (i32)((sign ^ c) >> 31);
  /* The exponents belong to bit 62. */
  Number32 x = number32(a), y = number32(b);
  u64 p = (u64)(x.fraction << 7) * (y.fraction << 8), z = (u64)fraction32(c) << 39;
  i32 exponent = x.exponent + y.exponent - 126;
  i32 apart = exponent - exponent32(c);
  z = sticky64(z, (u32)(apart > 0 ? apart : 0));
  p = sticky64(p, (u32)(apart < 0 ? -apart : 0));
  exponent -= apart < 0 ? apart : 0;
  u64 sum = p + (differ ? -z : z);
  if (differ && sum >> 63) {
    sum = -sum;
    sign ^= SIGN32;
  }
  if (!sum)
    return 0;
  u32 up = zeros64(sum);
  sum <<= up;
  return round32(sign, exponent + 1 - (i32)up, (u32)(sum >> 32) | ((u32)sum != 0));
}
