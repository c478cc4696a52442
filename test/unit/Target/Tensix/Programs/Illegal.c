/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A fence, which the cores do not have. */
#include "Core.h"

void program(volatile u32 *parameters) {
  __asm__ volatile("fence");
  parameters[8] = 1;
}
