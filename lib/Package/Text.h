// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that the reader's messages share. Private to this library.

#ifndef HET_LIB_PACKAGE_TEXT_H
#define HET_LIB_PACKAGE_TEXT_H

#include <cstdint>
#include <string>

namespace het {

inline constexpr const char *remedyDamaged =
    "the file is damaged: copy it or build it again";

/// "1 byte", "2 bytes".
inline std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// The word for a section type; "type 77" for an unknown one.
std::string typeName(uint32_t type);

} // namespace het

#endif // HET_LIB_PACKAGE_TEXT_H
