/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What Blackhole's cores have instructions for. */
#include "Core.h"

static u32 least(u32 a, u32 b) { return (int32_t)a < (int32_t)b ? a : b; }

void program(volatile u32 *parameters) {
  const u32 a = parameters[0], b = parameters[1];
  volatile u32 *to = parameters + 16;
  to[0] = (a << 1) + b;
  to[1] = (a << 2) + b;
  to[2] = (a << 3) + b;
  to[3] = a & ~b;
  to[4] = a | ~b;
  to[5] = ~(a ^ b);
  to[6] = least(a, b);
  to[7] = a > b ? a : b;
  to[8] = __builtin_rotateleft32(a, b & 31);
  to[9] = __builtin_rotateright32(a, 7);
#if HET_TENSIX_BLACKHOLE
  to[10] = a ? (u32)__builtin_clz(a) : 32;
  to[11] = a ? (u32)__builtin_ctz(a) : 32;
  to[12] = (u32)__builtin_popcount(a);
#endif
  to[13] = (u32)(int32_t)(int8_t)a ^ (u32)(int32_t)(int16_t)b;
  to[14] = __builtin_bswap32(a) ^ (uint16_t)b;
#if HET_TENSIX_BLACKHOLE
  u32 set;
  __asm__("orc.b %0, %1" : "=r"(set) : "r"(a));
  to[15] = set;
#endif
}
