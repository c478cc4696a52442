// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in device memory by which graphs decide.

#include "GraphCondition.h"
#include "Context.h"
#include "Memory.h"
#include "Stream.h"

namespace het::cuda {

GraphCondition::~GraphCondition() {
  if (!cell || device.resets != resets)
    return;
  device.device.synchronize();
  (void)translate(device.device.memory().free(cell));
}

cudaError_t makeCondition(Device &device, std::shared_ptr<GraphCondition> &condition) {
  auto made = std::make_shared<GraphCondition>(device);
  void *memory = nullptr;
  if (cudaError_t error = allocate(device, &memory, sizeof(uint32_t)))
    return error;
  made->cell = static_cast<uint32_t *>(memory);
  made->resets = device.resets;
  condition = std::move(made);
  return cudaSuccess;
}

cudaError_t assign(CUstream_st &stream, const GraphCondition &condition) {
  return condition.device.resets == condition.resets
             ? stream.fill(condition.cell, condition.initial, sizeof(uint32_t), 1)
             : cudaErrorContextIsDestroyed;
}

cudaError_t read(CUstream_st &stream, const GraphCondition &condition, unsigned &value) {
  uint32_t found = 0;
  if (condition.device.resets != condition.resets)
    return cudaErrorContextIsDestroyed;
  if (cudaError_t error = stream.copy(&found, condition.cell, sizeof(found)))
    return error;
  cudaError_t error = stream.synchronize();
  value = found;
  return error;
}

} // namespace het::cuda
