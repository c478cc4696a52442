// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access of one device's kernels to another's memory.

#include "migration/MigratableDevice.h"
#include "core/Device.h"

#include <utility>

namespace het::core {

bool Device::reaches(const Device &other) const {
  auto shares = [](const Device &device) {
    return device.facts.sharesHostMemory &&
           (!device.moves || device.moves->present().sharesHostMemory());
  };
  return shares(*this) && shares(other);
}

bool Device::setAccess(Device &other, bool isGiven) {
  if (!moves)
    return !isGiven || reaches(other);
  // Neither goes meanwhile to where it does not reach the other. In the order of their
  // places, so that nobody waits in a circle.
  Device *first = this, *second = &other;
  if (second->index() < first->index())
    std::swap(first, second);
  std::unique_lock<std::mutex> stays = first->moves->hold();
  std::unique_lock<std::mutex> staysToo = second->moves->hold();
  if (isGiven && !reaches(other))
    return false;
  moves->noteAccess(isGiven);
  other.moves->noteAccess(isGiven);
  return true;
}

} // namespace het::core
