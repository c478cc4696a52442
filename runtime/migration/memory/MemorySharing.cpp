// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what lets others reach a device's memory.

#include "migration/memory/MemorySharing.h"
#include "core/Device.h"
#include "migration/MigrationExtension.h"
#include "migration/memory/PinnedMemory.h"

namespace het::core {

void MemorySharing::noteManaged(int change) {
  managed += change;
  if (change > 0)
    layer.managedMemory().add();
  else
    --layer.managedMemory().now;
}

void MemorySharing::noteHostVariable() {
  if (!hasHostVariables.exchange(true))
    layer.managedMemory().add();
}

void MemorySharing::forget() {
  layer.managedMemory().now -= managed.exchange(0) + hasHostVariables.exchange(false);
}

void MemorySharing::noteAccess(bool isGiven) {
  accesses += isGiven ? 1 : -1;
  accessesSoFar += isGiven;
}

std::string MemorySharing::reason() const {
  if (layer.managedMemory().now)
    return "managed memory is in use";
  return accesses > 0 ? "access between it and another device is enabled" : "";
}

EscapeCount MemorySharing::escapes() const {
  EscapeCount count;
  count.unmapped = device.memory().unmappings();
  count.managed = layer.managedMemory().soFar;
  count.registered = layer.pinnedMemory().registrations();
  count.accesses = accessesSoFar;
  return count;
}

} // namespace het::core
