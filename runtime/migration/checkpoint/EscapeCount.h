// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels of a device may reach beside the device's memory, and others may reach of
// it: a device's work can be done again where there is none of that
// (docs/design/moving.md, A lost device).

#ifndef HET_RUNTIME_CORE_REACH_H
#define HET_RUNTIME_CORE_REACH_H

#include <cstdint>
#include <string>

namespace het::core {

/// Counts what has come so far; nothing is taken off.
struct EscapeCount {
  uint64_t unmapped = 0;   ///< Ranges of the device's memory.
  uint64_t managed = 0;    ///< Allocations, of any device.
  uint64_t registered = 0; ///< Memory of the host that was pinned where it was.
  uint64_t accesses = 0;   ///< Between the device and others.

  /// What has come since; empty: nothing.
  std::string changedTo(const EscapeCount &now) const;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_REACH_H
