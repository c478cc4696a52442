// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a graph's nodes allocate and free. It has its address from when the node is
// made, and its bytes as long as a graph has the node; launches say when it is in use.
// What a launch has allocated and no node has freed is the program's until it frees it.

#ifndef HET_RUNTIME_CUDA_GRAPHMEMORY_H
#define HET_RUNTIME_CUDA_GRAPHMEMORY_H

#include "MemoryPool.h"

#include <vector>

namespace het::cuda {

struct GraphMemory {
  GraphMemory(Device &device, size_t size) : device(device), size(size) {}
  ~GraphMemory(); ///< Waits for the device if it was ever in use.

  Device &device;
  const size_t size;
  cudaMemPoolProps pool = {};
  std::vector<cudaMemAccessDesc> access;
  void *pointer = nullptr; ///< Null once it is somebody else's, or the device was reset.
  bool isInUse = false;    ///< Guarded by the table of all.
  bool wasInUse = false;
};

/// New memory of a device.
cudaError_t makeGraphMemory(Device &device, size_t size,
                            std::shared_ptr<GraphMemory> &memory);

/// The memory that begins at an address; null if it is no graph's.
std::shared_ptr<GraphMemory> findGraphMemory(const void *pointer);

/// A launch takes memory into use, and out of it. False if it is, and is not, in use.
bool takeIntoUse(const std::shared_ptr<GraphMemory> &memory);
bool takeOutOfUse(const std::shared_ptr<GraphMemory> &memory);
bool isInUse(const GraphMemory &memory);

/// Makes the memory of a graph that is gone the caller's.
void *letGo(GraphMemory &memory);

/// The device is reset.
void forgetGraphMemory(const Device &device);

/// Bytes in use, and those that graphs have, on a device; `isReset`: their most is as
/// now.
MemoryGauge graphMemoryInUse(const Device &device, bool isReset = false);
MemoryGauge graphMemoryReserved(const Device &device, bool isReset = false);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHMEMORY_H
