/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads what a request is to bring before it is there. Parameters: the DRAM tile, its
   address. */
#include "Core.h"

static volatile u32 buffer[16] __attribute__((aligned(64)));

void program(volatile u32 *parameters) {
  volatile u32 *niu = (volatile u32 *)0xFFB20000u;
  niu[0] = parameters[1];
  niu[1] = parameters[0] << 4;
  niu[3] = (u32)buffer;
  niu[4] = MAILBOX->homes[0] << 4;
  niu[6] = 0;
  niu[7] = 0x10;
  niu[8] = 64;
  niu[10] = 1;
  while (niu[10] & 1) /* it is on its way */
    ;
  parameters[8] = buffer[0];
}
