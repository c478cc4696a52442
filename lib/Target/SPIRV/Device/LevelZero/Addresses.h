// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses and sizes, in numbers and in texts of messages.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_ADDRESSES_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_ADDRESSES_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace het::spirv {

constexpr uint64_t hostPage = 4096;

inline void *pointerOf(uint64_t address) { return reinterpret_cast<void *>(address); }

/// The beginning of the host's page that an address is in.
inline uint64_t pageOf(uint64_t address) { return address / hostPage * hostPage; }

/// The end of the last of the host's pages that a range is in.
inline uint64_t pagesEnd(uint64_t address, uint64_t size) {
  return pageOf(address + size + hostPage - 1);
}

inline std::string hex(uint64_t address) {
  char text[19];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

inline std::string sizeText(uint64_t size) { return std::to_string(size) + " bytes"; }

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_ADDRESSES_H
