// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events: software's, whose threads watch launches.

#include "TensixDevice.h"

#include "../../Support/SoftwareQueueFunctions.h"

using het::target::success;

namespace het::tensix {
namespace {

int32_t createQueue(HetDevice *device, HetQueue **queue, HetStatus *status) {
  *queue = new HetQueue(device);
  return success(status);
}

/// Does it unless the device has a fault.
template <class Work> int32_t push(HetQueue *queue, HetStatus *status, Work work) {
  return target::report(status, queue->queue.push([=] {
    if (!queue->device->hasFault())
      work(*queue->device);
  }));
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  return push(queue, status, [=](HetDevice &device) { copy(device, to, from, size); });
}

int32_t enqueueCopyRows(HetQueue *queue, uint64_t to, size_t toPitch, uint64_t from,
                        size_t fromPitch, size_t width, size_t rows, HetStatus *status) {
  return push(queue, status, [=](HetDevice &device) {
    for (size_t row = 0; row < rows; ++row)
      copy(device, to + row * toPitch, from + row * fromPitch, width);
  });
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern, uint32_t patternBytes,
                    size_t size, HetStatus *status) {
  return push(queue, status,
              [=](HetDevice &device) { fill(device, to, pattern, patternBytes, size); });
}

} // namespace

void fillInQueues(HetDeviceABI &table) {
  target::fillInSoftwareQueues<HetQueue>(table);
  table.createQueue = createQueue;
  table.enqueueCopy = enqueueCopy;
  table.enqueueCopyRows = enqueueCopyRows;
  table.enqueueFill = enqueueFill;
  table.enqueueLaunch = enqueueLaunch;
}

} // namespace het::tensix
