/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts a word of a core up, 100 times. Parameters: the core, the address. */
#include "Core.h"

void program(volatile u32 *parameters) {
  hetNocStart();
  for (u32 i = 0; i < 100; ++i)
    parameters[8] += hetNocCount(parameters[0], parameters[1]);
}
