/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stores a word and loads its upper half, 100 times: how often that was the half of an
   earlier word, and how often with what waits for the store in between. */
#include "Core.h"

void program(volatile u32 *parameters) {
  volatile u32 *word = (volatile u32 *)0x9000;
  u32 stale = 0, waited = 0;
  for (u32 i = 1; i <= 100; ++i) {
    u32 half;
    __asm__ volatile("sw %2, 0(%1)\n\tlhu %0, 2(%1)"
                     : "=&r"(half)
                     : "r"(word), "r"(i << 16)
                     : "memory");
    stale += half != i;
    __asm__ volatile("sw %2, 0(%1)\n\tlw zero, 0(%1)\n\tlhu %0, 2(%1)"
                     : "=&r"(half)
                     : "r"(word), "r"(i << 17)
                     : "memory");
    waited += half != i * 2;
  }
  parameters[16] = stale;
  parameters[17] = waited;
}
