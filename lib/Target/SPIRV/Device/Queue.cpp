// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events.

#include "SPIRVDevice.h"

#include "../../Support/SoftwareQueueFunctions.h"

#include <cstring>

namespace het::spirv {
namespace {

int32_t createQueue(HetDevice *device, HetQueue **out, HetStatus *status) {
  cl_int error = CL_SUCCESS;
  cl_command_queue commands = device->cl.clCreateCommandQueueWithProperties(
      device->context, device->candidate.device, nullptr, &error);
  if (error)
    return report(status, HET_UNAVAILABLE,
                  "clCreateCommandQueueWithProperties: error " + std::to_string(error));
  *out = new HetQueue(device);
  (*out)->commands = commands;
  return success(status);
}

void destroyQueue(HetQueue *queue) {
  const OpenCL &cl = queue->device->cl;
  cl_command_queue commands = queue->commands;
  queue->queue.synchronize();
  delete queue;
  cl.clReleaseCommandQueue(commands);
  target::flushOutput();
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  queue->queue.push([=] {
    if (!queue->device->hasFault())
      std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from),
                   size);
  });
  return success(status);
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern,
                    uint32_t patternBytes, size_t size, HetStatus *status) {
  queue->queue.push([=] {
    if (!queue->device->hasFault())
      target::fillMemory(to, pattern, patternBytes, size);
  });
  return success(status);
}

} // namespace

void fillInQueues(HetDeviceABI &table) {
  target::fillInSoftwareQueues<HetQueue>(table);
  table.createQueue = createQueue;
  table.destroyQueue = destroyQueue;
  table.enqueueCopy = enqueueCopy;
  table.enqueueFill = enqueueFill;
  table.enqueueLaunch = enqueueLaunch;
}

} // namespace het::spirv
