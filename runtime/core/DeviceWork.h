// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy or a fill, as it is put into a queue of any backend, any number of times.

#ifndef HET_RUNTIME_CORE_DEVICEWORK_H
#define HET_RUNTIME_CORE_DEVICEWORK_H

#include "core/trace/Trace.h"
#include "het/Target/TargetABI.h"

#include <cstddef>
#include <cstdint>

namespace het::core {

struct DeviceWork {
  enum class Kind { Copy, CopyRows, Fill };

  Kind kind = Kind::Copy;
  uint64_t to = 0, from = 0;
  size_t toPitch = 0, fromPitch = 0; ///< Bytes from row to row, for CopyRows.
  size_t width = 0, rows = 1;        ///< Bytes; of Copy and Fill there is one row.
  uint32_t pattern = 0, patternBytes = 1;

  static DeviceWork copy(const void *to, const void *from, size_t size);
  static DeviceWork copyRows(const void *to, size_t toPitch, const void *from,
                             size_t fromPitch, size_t width, size_t rows);
  static DeviceWork fill(const void *to, uint32_t pattern, unsigned patternBytes,
                         size_t size);

  /// A code of the ABI's.
  int32_t enqueue(const HetDeviceABI &abi, HetQueue *onto, HetStatus *status) const;

  const char *name() const;
  /// For a trace.
  TraceArguments traced() const;
  uint64_t bytes() const { return uint64_t(width) * rows; }
  /// Copies to bytes without gaps, or from such, instead.
  DeviceWork packedTo(void *bytes) const;
  DeviceWork packedFrom(const void *bytes) const;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_DEVICEWORK_H
