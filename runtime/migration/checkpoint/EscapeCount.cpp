// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the ways by which kernels came to reach memory that is not their device's.

#include "migration/checkpoint/EscapeCount.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/memory/PinnedMemory.h"

namespace het::core {

std::string EscapeCount::changedTo(const EscapeCount &now) const {
  if (unmapped != now.unmapped)
    return "memory was unmapped";
  if (managed != now.managed)
    return "managed memory was allocated";
  if (registered != now.registered)
    return "memory of the host was registered";
  return accesses != now.accesses ? "access between it and another device was enabled"
                                  : "";
}

void MigratableDevice::noteManaged(int change) {
  managed += change;
  if (change > 0)
    layer.managedMemory().add();
  else
    --layer.managedMemory().now;
}

void MigratableDevice::noteHostVariable() {
  if (!hasHostVariables.exchange(true))
    layer.managedMemory().add();
}

/// The device is opened anew.
void MigratableDevice::forgetManaged() {
  layer.managedMemory().now -= managed.exchange(0) + hasHostVariables.exchange(false);
}

void MigratableDevice::noteAccess(bool isGiven) {
  accesses += isGiven ? 1 : -1;
  accessesSoFar += isGiven;
}

EscapeCount MigratableDevice::reachCount() {
  EscapeCount count;
  count.unmapped = device.memory().unmappings();
  count.managed = layer.managedMemory().soFar;
  count.registered = layer.pinnedMemory().registrations();
  count.accesses = accessesSoFar;
  return count;
}

std::string MigratableDevice::sharing() {
  if (layer.managedMemory().now)
    return "managed memory is in use";
  return accesses > 0 ? "access between it and another device is enabled" : "";
}

} // namespace het::core
