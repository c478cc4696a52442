// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes about devices in the folder of the control sockets, for all programs of the user:
// which are drained, and which are wanted by programs of what priority.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_LEASES_H
#define HET_RUNTIME_MIGRATION_CONTROL_LEASES_H

#include "het/Base/Status.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace het::core::notes {

/// A device's name in notes: what is behind a # does not count, and an absent number is
/// 0.
std::string deviceOf(const std::string &name);

/// Names with characters that are no device's are refused.
Status drain(const std::string &device);
/// False: it was not drained.
Result<bool> undrain(const std::string &device);

/// This process wants the device, until it does no more, or has ended.
Status want(const std::string &device, unsigned priority);
void wantNoMore(const std::string &device);

/// Another process that runs and wants a device.
struct Wanted {
  std::string device;
  pid_t process = 0;
  unsigned priority = 0;
};

/// All notes that there are now.
struct All {
  std::vector<std::string> drained;
  std::vector<Wanted> wanted;
};
All read();

} // namespace het::core::notes

#endif // HET_RUNTIME_MIGRATION_CONTROL_LEASES_H
