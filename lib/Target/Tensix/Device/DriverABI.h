// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of Tenstorrent's open kernel driver (tt-kmd, version 2 of its interface) for
// ioctl on /dev/tenstorrent/N, as far as it is used here. A structure is what is given to
// the driver, and behind it what it writes.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_DRIVERABI_H
#define HET_LIB_TARGET_TENSIX_DEVICE_DRIVERABI_H

#include <cstdint>

namespace het::tensix::driver {

constexpr uint32_t version = 2;

constexpr unsigned long request(unsigned number) { return 0xFAu << 8 | number; }
constexpr unsigned long getDeviceInfo = request(0), getDriverInfo = request(5),
                        lockControl = request(8), allocateWindow = request(11),
                        configureWindow = request(13);

struct DeviceInfo {
  uint32_t bytesWanted = 20; ///< In all that follows.
  uint32_t bytes = 0;
  uint16_t vendor = 0, device = 0, subsystemVendor = 0, subsystem = 0;
  uint16_t busDeviceFunction = 0, mostDmaBits = 0, domain = 0, reserved = 0;
};
static_assert(sizeof(DeviceInfo) == 24);

struct DriverInfo {
  uint32_t bytesWanted = 12; ///< In all that follows.
  uint32_t bytes = 0;
  uint32_t version = 0; ///< The interface's.
  uint8_t major = 0, minor = 0, patch = 0, reserved = 0;
};
static_assert(sizeof(DriverInfo) == 16);

/// Locks have numbers below 64; the first ones are taken by convention.
struct Lock {
  static constexpr uint32_t acquire = 0;
  uint32_t bytesWanted = 4; ///< In all behind `reserved`.
  uint32_t operation = acquire;
  uint8_t number = 0, reserved[3] = {};
  uint8_t isHeld = 0, reserved2[3] = {}; ///< 0: by somebody else.
};
static_assert(sizeof(Lock) == 16);

struct WindowRequest {
  uint64_t bytes = 0, reserved = 0;
  uint32_t number = 0, reserved2 = 0;
  uint64_t uncachedOffset = 0, combiningOffset = 0; ///< For mmap.
  uint64_t reserved3 = 0;
};
static_assert(sizeof(WindowRequest) == 48);

/// A unicast window has no start.
struct WindowSetting {
  static constexpr uint8_t strictOrder = 1;
  uint32_t number = 0, reserved = 0;
  uint64_t address = 0;
  uint16_t x = 0, y = 0, startX = 0, startY = 0;
  uint8_t noc = 0, isMulticast = 0, order = strictOrder, isLinked = 0;
  uint8_t staticChannel = 0, reserved2[3] = {};
  uint32_t reserved3[2] = {};
  uint64_t answer = 0;
};
static_assert(sizeof(WindowSetting) == 48);

} // namespace het::tensix::driver

#endif // HET_LIB_TARGET_TENSIX_DEVICE_DRIVERABI_H
