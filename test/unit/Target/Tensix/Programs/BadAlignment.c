/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A read whose ends differ modulo 32, and 64. Parameters: the DRAM tile, its address. */
#include "Core.h"

static volatile u32 buffer[32] __attribute__((aligned(64)));

void program(volatile u32 *parameters) {
  hetNocStart();
  hetNocRead(parameters[0], parameters[1] + 16, buffer, 16);
}
