// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The RISC-V specification's Zba and Zbb, of 32 bits.

#include "Model.h"

#include <algorithm>

namespace tilemodel {
namespace {

int32_t signedOf(uint32_t value) { return static_cast<int32_t>(value); }

uint32_t rotate(uint32_t value, uint32_t left) {
  return value << (left & 31) | value >> (-left & 31);
}

uint32_t combineBytes(uint32_t value) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; bit += 8)
    if (value >> bit & 0xFF)
      result |= 0xFFu << bit;
  return result;
}

/// By its upper 7 bits and its function; false where there is none.
bool ofRegisters(uint32_t upper, uint32_t function, uint32_t second, uint32_t a,
                 uint32_t b, uint32_t &value) {
  switch (upper << 3 | function) {
  case 0x10 << 3 | 2:
  case 0x10 << 3 | 4:
  case 0x10 << 3 | 6: // sh1add, sh2add, sh3add
    value = (a << function / 2) + b;
    return true;
  case 0x20 << 3 | 7:
    value = a & ~b;
    return true;
  case 0x20 << 3 | 6:
    value = a | ~b;
    return true;
  case 0x20 << 3 | 4:
    value = ~(a ^ b);
    return true;
  case 0x05 << 3 | 4:
    value = std::min(signedOf(a), signedOf(b));
    return true;
  case 0x05 << 3 | 5:
    value = std::min(a, b);
    return true;
  case 0x05 << 3 | 6:
    value = std::max(signedOf(a), signedOf(b));
    return true;
  case 0x05 << 3 | 7:
    value = std::max(a, b);
    return true;
  case 0x30 << 3 | 1:
    value = rotate(a, b);
    return true;
  case 0x30 << 3 | 5:
    value = rotate(a, -b);
    return true;
  case 0x04 << 3 | 4: // zext.h
    value = a & 0xFFFF;
    return second == 0;
  default:
    return false;
  }
}

/// By its upper 12 bits and its function.
bool ofOne(uint32_t upper, uint32_t function, uint32_t a, uint32_t &value) {
  if (function == 5 && upper >> 5 == 0x30) { // rori
    value = rotate(a, -upper);
    return true;
  }
  switch (upper << 3 | function) {
  case 0x600 << 3 | 1:
    value = a ? __builtin_clz(a) : 32;
    return true;
  case 0x601 << 3 | 1:
    value = a ? __builtin_ctz(a) : 32;
    return true;
  case 0x602 << 3 | 1:
    value = __builtin_popcount(a);
    return true;
  case 0x604 << 3 | 1:
    value = static_cast<int8_t>(a);
    return true;
  case 0x605 << 3 | 1:
    value = static_cast<int16_t>(a);
    return true;
  case 0x287 << 3 | 5:
    value = combineBytes(a);
    return true;
  case 0x698 << 3 | 5:
    value = __builtin_bswap32(a);
    return true;
  default:
    return false;
  }
}

} // namespace

bool Core::executeBits(uint32_t word) {
  const uint32_t function = word >> 12 & 7, second = word >> 20 & 31;
  const uint32_t a = registers[word >> 15 & 31], b = registers[second];
  uint32_t value;
  const bool isOne = (word & 127) == 0x13;
  if (isOne ? !ofOne(word >> 20, function, a, value)
            : !ofRegisters(word >> 25, function, second, a, b, value))
    return false;
  write(word >> 7 & 31, value);
  return true;
}

} // namespace tilemodel
