// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events: software's, since the host looks at each kernel's end.

#include "DriverFunction.h"
#include "SPIRVDevice.h"

#include "../../Support/SoftwareQueueFunctions.h"

namespace het::spirv {
namespace {

int32_t createQueue(HetDevice *device, HetQueue **out, HetStatus *status) {
  std::unique_ptr<Commands> commands = device->door->createCommands(status);
  if (!commands)
    return device->check(status->code, status);
  *out = new HetQueue(device);
  (*out)->commands = std::move(commands);
  return success(status);
}

void destroyQueue(HetQueue *queue) {
  queue->queue.synchronize();
  delete queue;
  target::flushOutput();
}

/// Does it unless the device has a fault, and makes one of what is wrong.
template <class Work>
int32_t push(HetQueue *queue, HetStatus *status, const char *what, Work work) {
  return target::report(status, queue->queue.push([=] {
    HetDevice &device = *queue->device;
    if (device.hasFault())
      return;
    const DriverUse use;
    if (!use)
      device.fail(HET_FAULT_LOST, std::string(what) + ": the process ends");
    else if (std::string wrong = work(*queue->commands); !wrong.empty())
      device.fail(HET_FAULT_LOST, std::string(what) + ": " + wrong);
  }));
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  return push(queue, status, "copy",
              [=](Commands &commands) { return commands.copy(to, from, size); });
}

int32_t enqueueCopyRows(HetQueue *queue, uint64_t to, size_t toPitch, uint64_t from,
                        size_t fromPitch, size_t width, size_t rows, HetStatus *status) {
  const Rows all = {to, toPitch, from, fromPitch, width, rows};
  return push(queue, status, "copy of rows",
              [=](Commands &commands) { return commands.copyRows(all); });
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern, uint32_t patternBytes,
                    size_t size, HetStatus *status) {
  return push(queue, status, "fill", [=](Commands &commands) {
    return commands.fill(to, pattern, patternBytes, size);
  });
}

} // namespace

void fillInQueues(HetDeviceABI &table) {
  target::fillInSoftwareQueues<HetQueue>(table);
  table.createQueue = createQueue;
  table.destroyQueue = destroyQueue;
  table.enqueueCopy = enqueueCopy;
  table.enqueueCopyRows = enqueueCopyRows;
  table.enqueueFill = enqueueFill;
  table.enqueueLaunch = enqueueLaunch;
}

} // namespace het::spirv
