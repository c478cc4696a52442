/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Division of 64 bits. Parameters: dividend, divisor; results behind them. */
#include "Core.h"

void program(volatile u32 *parameters) {
  volatile u64 *numbers = (volatile u64 *)parameters;
  u64 a = numbers[0], b = numbers[1];
  numbers[2] = a / b;
  numbers[3] = a % b;
  numbers[4] = (u64)((int64_t)a / (int64_t)b);
  numbers[5] = (u64)((int64_t)a % (int64_t)b);
}
