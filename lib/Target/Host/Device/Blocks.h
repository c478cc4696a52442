// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a launch while it runs, with memory of its own.

#ifndef HET_LIB_TARGET_HOST_DEVICE_BLOCKS_H
#define HET_LIB_TARGET_HOST_DEVICE_BLOCKS_H

#include "HostDevice.h"

namespace het::host {

/// A block, to be resumed at `pc`.
struct BlockState {
  HetHostBlock block;
  Memory shared, frame;
  uint64_t index = 0; ///< In the grid, x fastest.
  uint32_t pc = 0;
  bool wasParked = false; ///< Its threads may stand anywhere: the kernel's `resume`.

  /// The block of this index, at its beginning.
  void begin(const Launch &launch, uint64_t index);
  /// Another block of the same launch, at its beginning.
  void setIndex(uint64_t index);
  bool getMemory(const Launch &launch);
  void run(const Launch &launch);
  bool hasEnded() const { return pc == HET_HOST_ENDED || pc == HET_HOST_DEADLOCK; }
};

inline bool hasFault(const Launch &launch) {
  return launch.device->faultKind.load(std::memory_order_relaxed);
}

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_BLOCKS_H
