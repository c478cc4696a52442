// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that a library of the vendor's has put into a stream of its driver's: recorded
// once, and done in streams and graphs any number of times.

#ifndef HET_RUNTIME_CORE_NATIVEWORK_H
#define HET_RUNTIME_CORE_NATIVEWORK_H

#include "core/Device.h"

#include <functional>
#include <memory>

namespace het::core {

class NativeWork {
public:
  static bool isOfferedBy(Device &device);

  /// Calls `work` now with a stream of the driver's that records. Unsupported where it
  /// did what can not be recorded; then nothing of it is left.
  static Result<std::shared_ptr<NativeWork>>
  record(Device &device, const std::function<void(void *stream)> &work);
  ~NativeWork();
  NativeWork(const NativeWork &) = delete;
  NativeWork &operator=(const NativeWork &) = delete;

  /// Not after a reset of its device.
  bool isAlive() const { return handle; }
  Device &device() const { return owner; }

private:
  friend class Device;
  friend class DirectQueue;
  friend class Graph;
  explicit NativeWork(Device &device) : owner(device) {}
  Status enqueue(HetQueue *queue);
  void release();

  Device &owner;
  HetNativeWork *handle = nullptr;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_NATIVEWORK_H
