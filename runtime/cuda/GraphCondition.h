// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions of graphs: a number in device memory that kernels set
// (cudaGraphSetConditional). A condition's handle is the number's address.

#ifndef HET_RUNTIME_CUDA_GRAPHCONDITION_H
#define HET_RUNTIME_CUDA_GRAPHCONDITION_H

#include "Operation.h"

namespace het::cuda {

struct Device;

struct GraphCondition {
  explicit GraphCondition(Device &device) : device(device) {}
  ~GraphCondition(); ///< Waits for the device.

  Device &device;
  uint32_t *cell = nullptr; ///< In device memory.
  unsigned initial = 0;
  bool isAssigned = false; ///< To `initial`, where its graph begins.
  bool isUsed = false;     ///< By a node.
  uint64_t resets = 0;     ///< Of the device, when it was made.

  cudaGraphConditionalHandle handle() const { return reinterpret_cast<uintptr_t>(cell); }
};

cudaError_t makeCondition(Device &device, std::shared_ptr<GraphCondition> &condition);

/// Gives a condition its initial value, in the order of the stream.
cudaError_t assign(CUstream_st &stream, const GraphCondition &condition);
/// Waits for the stream and reads what kernels have set.
cudaError_t read(CUstream_st &stream, const GraphCondition &condition, unsigned &value);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHCONDITION_H
