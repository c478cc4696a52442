// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory this process may use: a control group, as containers and batch systems
// make them, may allow less than the machine has.

#ifndef HET_BASE_MEMORYLIMIT_H
#define HET_BASE_MEMORYLIMIT_H

#include <cstdint>
#include <string>

namespace het {

/// The least limit, in bytes, of the process's control groups and all that hold them, of
/// version 1 or 2; UINT64_MAX: there is none. `root`: where /proc and /sys are looked
/// for.
uint64_t controlGroupLimit(const std::string &root = "");

/// The machine's memory in bytes, or less where control groups allow no more.
uint64_t usableMemory();

} // namespace het

#endif // HET_BASE_MEMORYLIMIT_H
