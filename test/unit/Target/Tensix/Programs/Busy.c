/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One request after the other by one initiator, which is not asked whether it is free.
   Parameters: the DRAM tile, its address. */
#include "Core.h"

static volatile u32 buffer[16] __attribute__((aligned(64)));

void program(volatile u32 *parameters) {
  volatile u32 *niu = (volatile u32 *)0xFFB20000u;
  for (u32 i = 0; i < 100; ++i) {
    niu[0] = parameters[1];
    niu[1] = parameters[0] << 4;
    niu[3] = (u32)buffer;
    niu[4] = MAILBOX->homes[0] << 4;
    niu[7] = 0x10;
    niu[8] = 64;
    niu[10] = 1;
  }
}
