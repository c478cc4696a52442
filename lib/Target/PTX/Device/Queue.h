// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How work is put into a queue.

#ifndef HET_LIB_TARGET_PTX_DEVICE_QUEUE_H
#define HET_LIB_TARGET_PTX_DEVICE_QUEUE_H

#include "PTXDevice.h"

namespace het::ptx {

/// Calls `work(driver, stream)` in the queue's context. Takes the work and does not do
/// it where the device has a fault.
template <class Work>
int32_t enqueue(HetQueue *queue, const char *what, HetStatus *status, Work work) {
  HetDevice &device = *queue->device;
  if (device.hasFault())
    return success(status);
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = work(device.driver, queue->stream);
  return device.checkWork(result, queue, what, status);
}

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_QUEUE_H
