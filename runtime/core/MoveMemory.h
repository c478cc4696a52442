// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carrying a device's memory from one backend to another, at the same addresses.

#ifndef HET_RUNTIME_CORE_MOVEMEMORY_H
#define HET_RUNTIME_CORE_MOVEMEMORY_H

#include "het/Runtime/Backend.h"
#include "het/Runtime/Memory.h"

#include <vector>

namespace het::core {

/// A failure leaves the memory with `from`. Where even that can not be had, `lost`
/// becomes true.
Status moveMemory(Backend &from, Backend &to, const std::vector<MappedRange> &ranges,
                  uint64_t &copiedBytes, bool &lost);

} // namespace het::core

#endif // HET_RUNTIME_CORE_MOVEMEMORY_H
