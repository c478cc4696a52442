// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State that a device keeps for suspending its kernels (Parking.h).

#ifndef HET_LIB_TARGET_PTX_DEVICE_DEVICEPARKING_H
#define HET_LIB_TARGET_PTX_DEVICE_DEVICEPARKING_H

#include "Driver.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

namespace het::ptx {

class QueueParking;

/// Memory that grows; what was in it is lost then.
class Buffer {
public:
  enum class Kind { Device, Pinned };
  explicit Buffer(Kind kind) : kind(kind) {}

  /// `grew` (if not null) says whether this is other memory now.
  CUresult reserve(const Driver &driver, size_t bytes, bool *grew = nullptr);
  CUresult release(const Driver &driver);
  CUdeviceptr address() const { return memory; }
  size_t size() const { return bytes; }
  template <class T> T *as() const { return reinterpret_cast<T *>(memory); }

private:
  const Kind kind;
  CUdeviceptr memory = 0;
  size_t bytes = 0;
};

/// Whether a device parks, and what is to stop then.
struct DeviceParking {
  std::atomic<bool> isUsed{false}; ///< Parkable code has been loaded.
  std::mutex mutex;                ///< Guards what follows.
  bool isOn = false;
  std::chrono::steady_clock::time_point since; ///< When it was last set on.
  std::set<QueueParking *> running;
};

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_DEVICEPARKING_H
