// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of a device's kernels, in the device's memory (het/DeviceABI/Heap.h).

#ifndef HET_RUNTIME_CORE_HEAP_H
#define HET_RUNTIME_CORE_HEAP_H

#include "het/Base/Status.h"
#include "het/DeviceABI/Heap.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace het::core {

class Device;

/// May be used from any thread.
class Heap {
public:
  explicit Heap(Device &device) : device(device) {}

  /// The address of the HetHeap, which is empty until start(). `brought`: one of before,
  /// whose memory a checkpoint brings, with what is in it; null: none.
  Result<void *> variable(void *brought);
  /// Before a kernel that allocates is launched: the heap gets its memory, if it has none
  /// yet. Where the device has no memory for it the heap stays empty, and has not
  /// started.
  Status start() {
    return isStarted.load(std::memory_order_acquire) ? Status::success() : startNow();
  }
  bool hasStarted() const { return isStarted.load(std::memory_order_acquire); }
  /// In bytes. Invalid once it has started.
  Status setLimit(uint64_t bytes);

private:
  Status startNow();
  Status giveMemory(HetHeap &state);
  Result<void *> place();

  Device &device;
  std::atomic<bool> isStarted{false};
  std::mutex mutex;         ///< Guards what follows.
  uint64_t limit = 8 << 20; ///< CUDA's for a program that sets none.
  void *heap = nullptr;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_HEAP_H
