// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments may be constants: those of up to 8 bytes whose value can not be an
// address. The package does not say what is a pointer, and a lowering leaves pointers
// alone; one that stays the same for a while would only make the specialisation miss
// later.

#include "core/code/LaunchConstants.h"

#include <algorithm>
#include <cstring>

namespace het::core {

bool LaunchConstants::match(const LaunchShape &shape, const uint8_t *packed) const {
  if (hasBlock && std::memcmp(block, shape.block, sizeof(block)) != 0)
    return false;
  for (const Argument &argument : arguments)
    if (std::memcmp(argument.bytes, packed + argument.offset, argument.size) != 0)
      return false;
  return true;
}

std::string LaunchConstants::words() const {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  if (hasBlock)
    text = "block=" + std::to_string(block[0]) + "," + std::to_string(block[1]) + "," +
           std::to_string(block[2]);
  for (const Argument &argument : arguments) {
    text += (text.empty() ? "argument=" : " argument=") + std::to_string(argument.index) +
            ":";
    for (uint32_t i = 0; i < argument.size; ++i) {
      text += digits[argument.bytes[i] >> 4];
      text += digits[argument.bytes[i] & 15];
    }
  }
  return text;
}

/// A number of 8 bytes that lies where memory does: above 4 GiB, below what a processor
/// has of addresses. Usual sizes are smaller, and floating-point numbers larger.
bool mayBeAddress(const uint8_t *bytes, uint32_t size) {
  if (size != sizeof(uint64_t))
    return false;
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value >> 32 && !(value >> 57);
}

/// A specialisation is made after so many launches over so long a time with constants in
/// common. Code that is made later than a program gives its launches helps none.
static constexpr unsigned enoughLaunches = 32;
static constexpr auto enoughTime = std::chrono::milliseconds(100);

LaunchWatch::LaunchWatch(const KernelInfo &kernel) : parameters(kernel.parameters) {}

void LaunchWatch::restart() {
  count = 0;
  common = {};
}

bool LaunchWatch::suffices() const {
  return count >= enoughLaunches && last - first >= enoughTime;
}

void LaunchWatch::add(const LaunchShape &shape, const uint8_t *packed, Time now) {
  last = now;
  if (count++) {
    common.hasBlock &= !std::memcmp(common.block, shape.block, sizeof(common.block));
    auto differs = [&](const LaunchConstants::Argument &argument) {
      return std::memcmp(argument.bytes, packed + argument.offset, argument.size) != 0;
    };
    common.arguments.erase(
        std::remove_if(common.arguments.begin(), common.arguments.end(), differs),
        common.arguments.end());
    return;
  }
  first = now;
  common.hasBlock = true;
  std::copy_n(shape.block, 3, common.block);
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const auto [offset, size, alignment] = parameters[i];
    const bool isNumber = size == 1 || size == 2 || size == 4 || size == 8;
    if (!isNumber || mayBeAddress(packed + offset, size))
      continue;
    LaunchConstants::Argument argument = {i, offset, size, {}};
    std::memcpy(argument.bytes, packed + offset, size);
    common.arguments.push_back(argument);
  }
}

LaunchConstants LaunchWatch::constants() const {
  return count ? common : LaunchConstants();
}

} // namespace het::core
