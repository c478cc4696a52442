/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The frame of a test's program: it lies at 0, has its parameters at 0x8000, and says
 * at 0x8100 that it is done.
 */
#include "Core.h"

void program(volatile u32 *parameters);

__asm__(".section .head, \"ax\"\n"
        "  lui sp, 0x8\n"
        "  j begin\n"
        ".text\n");

void begin(void) {
  hetForget();
  program((volatile u32 *)0x8000);
  *(volatile u32 *)0x8100 = 1;
  for (;;)
    ;
}

_Noreturn void hetStop(u32 fault, u64 address, u32 detail) {
  (void)address, (void)detail;
  *(volatile u32 *)0x8100 = 0x100 + fault;
  for (;;)
    ;
}
