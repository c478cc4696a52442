/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A load of a word at an odd address. */
#include "Core.h"

void program(volatile u32 *parameters) {
  u32 word;
  __asm__ volatile("lw %0, 1(%1)" : "=r"(word) : "r"(parameters));
  parameters[8] = word;
}
