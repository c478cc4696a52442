/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions that LLVM calls for blocks of the core's own memory, and the core's clock.
 */
#include "Core.h"
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  u8 *target = to;
  const u8 *source = from;
  if (!(((u32)to | (u32)from) % 4))
    for (; bytes >= 4; bytes -= 4, target += 4, source += 4)
      *(u32 *)target = *(const u32 *)source;
  if (!bytes)
    return to;
  hetOrder();
  while (bytes--)
    *target++ = *source++;
  hetOrder();
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  if ((u32)to - (u32)from >= bytes)
    return memcpy(to, from, bytes);
  u8 *target = to;
  const u8 *source = from;
  hetOrder();
  while (bytes--)
    target[bytes] = source[bytes];
  hetOrder();
  return to;
}

void *memset(void *to, int byte, size_t bytes) {
  u8 *target = to;
  u32 word = (u8)byte * 0x01010101u;
  if (!((u32)to % 4))
    for (; bytes >= 4; bytes -= 4, target += 4)
      *(u32 *)target = word;
  while (bytes--)
    *target++ = (u8)byte;
  hetOrder();
  return to;
}

/* RISCV_DEBUG_REG_WALL_CLOCK_L latches the upper half. */
u64 het_core_clock(void) {
  u32 low = *(volatile u32 *)0xFFB121F0u;
  u32 high = *(volatile u32 *)0xFFB121F8u;
  return (u64)high << 32 | low;
}
