// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues are streams of the driver: copies, fills and calls of host functions.

#include "Queue.h"
#include "Parking.h"

#include <memory>

HetQueue::HetQueue() = default;
HetQueue::~HetQueue() = default;

namespace het::ptx {
namespace {

/// The largest pitch that every GPU's copies take.
constexpr size_t largestPitch = INT32_MAX;

int32_t createQueue(HetDevice *device, HetQueue **out, HetStatus *status) {
  auto queue = std::make_unique<HetQueue>();
  queue->device = device;
  queue->serial = nextSerial();
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = device->driver.cuStreamCreate(&queue->stream, CU_STREAM_NON_BLOCKING);
  if (result)
    return device->check(result, HET_UNAVAILABLE, device->text() + ": a queue", status);
  if (device->parking.isUsed.load(std::memory_order_relaxed)) {
    queue->parking = std::make_unique<QueueParking>(*queue);
    (void)device->failed(queue->parking->open()); // else the first launch tries again
  }
  std::lock_guard<std::mutex> lock(device->mutex);
  device->queues.insert(queue.get());
  *out = queue.release();
  return success(status);
}

void synchronize(HetQueue *queue) {
  HetDevice &device = *queue->device;
  if (device.hasFault())
    return;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS && queue->parking)
    queue->parking->prepareToStop();
  if (result == CUDA_SUCCESS)
    result = device.driver.cuStreamSynchronize(queue->stream);
  device.checkWait(result, queue);
  finishParkable(*queue);
}

void destroyQueue(HetQueue *queue) {
  HetDevice &device = *queue->device;
  synchronize(queue);
  enter(device);
  if (queue->parking)
    queue->parking->release();
  device.failed(device.driver.cuStreamDestroy(queue->stream));
  {
    std::lock_guard<std::mutex> lock(device.mutex);
    device.queues.erase(queue);
  }
  delete queue;
}

int32_t isIdle(HetQueue *queue) {
  HetDevice &device = *queue->device;
  if (device.hasFault())
    return 1;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = device.driver.cuStreamQuery(queue->stream);
  device.checkWait(result, queue);
  if (result == CUDA_SUCCESS)
    finishParkable(*queue);
  return result != CUDA_ERROR_NOT_READY;
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  if (!size)
    return success(status);
  return enqueue(queue, "copy", status, [=](const Driver &driver, CUstream stream) {
    return driver.cuMemcpyAsync(to, from, size, stream);
  });
}

int32_t enqueueRowByRow(HetQueue *queue, uint64_t to, size_t toPitch, uint64_t from,
                        size_t fromPitch, size_t width, size_t rows, HetStatus *status) {
  for (size_t row = 0; row < rows; ++row)
    if (enqueueCopy(queue, to + row * toPitch, from + row * fromPitch, width, status))
      return status->code;
  return success(status);
}

int32_t enqueueCopyRows(HetQueue *queue, uint64_t to, size_t toPitch, uint64_t from,
                        size_t fromPitch, size_t width, size_t rows, HetStatus *status) {
  if (!width || !rows)
    return success(status);
  if (rows == 1 || (width == toPitch && width == fromPitch))
    return enqueueCopy(queue, to, from, width * rows, status);
  if (toPitch > largestPitch || fromPitch > largestPitch)
    return enqueueRowByRow(queue, to, toPitch, from, fromPitch, width, rows, status);
  CUDA_MEMCPY2D copy = {};
  copy.src.memoryType = copy.dst.memoryType = CU_MEMORYTYPE_UNIFIED;
  copy.src.device = from;
  copy.src.pitch = fromPitch;
  copy.dst.device = to;
  copy.dst.pitch = toPitch;
  copy.WidthInBytes = width;
  copy.Height = rows;
  return enqueue(queue, "copy of rows", status,
                 [&](const Driver &driver, CUstream stream) {
                   return driver.cuMemcpy2DAsync(&copy, stream);
                 });
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern, uint32_t patternBytes,
                    size_t size, HetStatus *status) {
  if (patternBytes != 1 && patternBytes != 2 && patternBytes != 4)
    return report(status, HET_INVALID,
                  "fill: found a pattern of " + std::to_string(patternBytes) +
                      " bytes, expected 1, 2 or 4");
  const size_t count = size / patternBytes;
  if (!count)
    return success(status);
  return enqueue(queue, "fill", status, [=](const Driver &driver, CUstream stream) {
    if (patternBytes == 1)
      return driver.cuMemsetD8Async(to, static_cast<uint8_t>(pattern), count, stream);
    if (patternBytes == 2)
      return driver.cuMemsetD16Async(to, static_cast<uint16_t>(pattern), count, stream);
    return driver.cuMemsetD32Async(to, pattern, count, stream);
  });
}

int32_t enqueueCall(HetQueue *queue, void (*call)(void *), void *data,
                    HetStatus *status) {
  return enqueue(queue, "host call", status, [=](const Driver &driver, CUstream stream) {
    return driver.cuLaunchHostFunc(stream, call, data);
  });
}

int32_t enqueueNative(HetQueue *queue, void (*work)(void *, void *), void *data,
                      HetStatus *status) {
  return enqueue(queue, "native work", status, [=](const Driver &, CUstream stream) {
    work(stream, data);
    return CUDA_SUCCESS;
  });
}

} // namespace

void fillInQueues(HetDeviceABI &table) {
  table.createQueue = createQueue;
  table.destroyQueue = destroyQueue;
  table.enqueueCopy = enqueueCopy;
  table.enqueueCopyRows = enqueueCopyRows;
  table.enqueueFill = enqueueFill;
  table.enqueueLaunch = enqueueLaunch;
  table.enqueueCall = enqueueCall;
  table.enqueueNative = enqueueNative;
  table.synchronize = synchronize;
  table.isIdle = isIdle;
}

} // namespace het::ptx
