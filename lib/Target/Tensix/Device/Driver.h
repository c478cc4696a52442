// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips of silicon, by Tenstorrent's open kernel driver (tt-kmd).

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_DRIVER_H
#define HET_LIB_TARGET_TENSIX_DEVICE_DRIVER_H

#include "Provider.h"

#include <cstddef>
#include <vector>

namespace het::tensix {

/// The system calls that are needed; tests have their own. A negative result is -errno.
class System {
public:
  virtual ~System() = default;
  /// Names in a folder; none where it can not be read.
  virtual std::vector<std::string> list(const std::string &folder) = 0;
  virtual int open(const std::string &path, int flags) = 0;
  virtual void close(int file) = 0;
  virtual int ioctl(int file, unsigned long request, void *argument) = 0;
  /// Shared, to read and to write. Null with `error` set to an errno.
  virtual void *map(int file, size_t bytes, uint64_t offset, int &error) = 0;
  virtual void unmap(void *memory, size_t bytes) = 0;
  virtual void sleep(uint64_t nanoseconds) = 0;
};

/// The operating system's.
System &systemCalls();

/// The driver's files, /dev/tenstorrent/N, by N.
std::vector<std::string> findDevices(System &system);
/// Null with a status where the chip can not be used. It is this process's alone.
std::shared_ptr<Provider> openDevice(System &system, const std::string &path,
                                     HetStatus *status);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_DRIVER_H
