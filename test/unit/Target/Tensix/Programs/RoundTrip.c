/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From DRAM, plus one, to DRAM and to another core. Parameters: the DRAM tile, its
   address, the other core, where to put it there. */
#include "Core.h"

static volatile u32 buffer[16] __attribute__((aligned(64)));

void program(volatile u32 *parameters) {
  hetNocStart();
  hetNocRead(parameters[0], parameters[1], buffer, 64);
  for (u32 i = 0; i < 16; ++i)
    ++buffer[i];
  hetNocWrite(buffer, parameters[0], parameters[1] + 64, 64);
  hetNocWrite(buffer + 4, parameters[2], parameters[3], 16);
  hetNocWait();
}
