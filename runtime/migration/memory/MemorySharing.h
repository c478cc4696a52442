// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who else may reach the memory that a device's kernels reach: other devices by access
// between them, and the host by managed memory. Such memory can not be copied while the
// others run.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_MEMORYSHARING_H
#define HET_RUNTIME_MIGRATION_MEMORY_MEMORYSHARING_H

#include "migration/checkpoint/EscapeCount.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace het::core {

class Device;
class MigrationExtension;

/// One device's. Functions may be called from any thread.
class MemorySharing {
public:
  MemorySharing(Device &device, MigrationExtension &extension)
      : device(device), layer(extension) {}

  /// The device is opened anew: its memory is gone.
  void forget();
  /// Managed allocations by the driver.
  void noteManaged(int change);
  /// A variable in the host's memory.
  void noteHostVariable();
  /// Its kernels, or another device's, may reach the other's memory, or no longer.
  void noteAccess(bool isGiven);

  bool hasManaged() const { return managed > 0; }
  /// Why kernels of several devices, or the host, may reach the same memory at any time;
  /// empty: they do not.
  std::string reason() const;
  /// Counts so far of what its kernels may reach.
  EscapeCount escapes() const;

private:
  Device &device;
  MigrationExtension &layer;
  std::atomic<int> managed{0}, accesses{0}; ///< Now.
  std::atomic<bool> hasHostVariables{false};
  std::atomic<uint64_t> accessesSoFar{0};
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_MEMORYSHARING_H
