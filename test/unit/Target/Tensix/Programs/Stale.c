/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads a word, has the network write another one over it, and reads it again, before and
   after a fence. Parameters: this core, the word's address, the other's. */
#include "Core.h"

void program(volatile u32 *parameters) {
  volatile u32 *word = (volatile u32 *)parameters[1];
  hetNocStart();
  parameters[16] = *word;
  hetNocWrite((volatile void *)parameters[2], parameters[0], parameters[1], 4);
  hetNocWait();
  parameters[17] = *word;
  hetForget();
  parameters[18] = *word;
}
