// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts ways by which a device's kernels may reach memory beside the device's, and
// others may reach the device's: its work can be done again where there is none
// (docs/design/device-loss.md).

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_ESCAPECOUNT_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_ESCAPECOUNT_H

#include <cstdint>
#include <string>

namespace het::core {

/// Counts what has come so far; nothing is taken off.
struct EscapeCount {
  uint64_t unmapped = 0;   ///< Ranges of the device's memory.
  uint64_t managed = 0;    ///< Allocations, of any device.
  uint64_t registered = 0; ///< Memory of the host that was pinned where it was.
  uint64_t accesses = 0;   ///< Between the device and others.

  /// Names a way that has come since; empty: none has.
  std::string changedTo(const EscapeCount &now) const;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_ESCAPECOUNT_H
