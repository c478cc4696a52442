// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device library asks of a target where lanes compute together. Here there is
// one.

#include <cstdint>

extern "C" uint32_t __het_exchange(uint32_t value, uint32_t from) {
  return from == 0 ? value : 0;
}
