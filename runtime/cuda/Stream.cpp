// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events over the core's, and the special stream handles.

#include "Stream.h"
#include "HostFunction.h"
#include "Module.h"

#include "het/Base/Log.h"

#include <map>

using namespace het;
using namespace het::cuda;

namespace {

/// The calling thread's own streams, by device. They go with the thread; a
/// thread that asks again while it ends gets the legacy stream.
struct ThreadStreams {
  std::map<int, cudaStream_t> byDevice;
  ~ThreadStreams();
};

thread_local bool threadEnds = false;
thread_local ThreadStreams threadStreams;

ThreadStreams::~ThreadStreams() {
  threadEnds = true;
  if (core::Runtime::isForked())
    return; // they are the parent's
  for (auto &[device, stream] : byDevice)
    deviceAt(device)->destroyStream(stream);
}

CUstream_st *perThreadStream(Device &device) {
  if (threadEnds)
    return device.legacy.get();
  cudaStream_t &stream = threadStreams.byDevice[device.ordinal];
  if (stream && !stream->queue) { // the device was reset
    device.destroyStream(stream);
    stream = nullptr;
  }
  if (!stream && device.createStream(cudaStreamDefault, 0, &stream))
    return device.legacy.get();
  return stream;
}

} // namespace

namespace het::cuda {

bool builtinStream(cudaStream_t handle) {
  return !handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
}

CUstream_st *resolveStream(cudaStream_t handle) {
  if (refuseCaller())
    return nullptr;
  if (!builtinStream(handle))
    return handle;
  Device *device = currentDevice();
  if (!device)
    return nullptr;
  bool perThread = handle == cudaStreamPerThread || (!handle && PerThreadDefault::isOn());
  return perThread ? perThreadStream(*device) : device->legacy.get();
}

} // namespace het::cuda

cudaError_t CUstream_st::admit() {
  if (!queue)
    return cudaErrorContextIsDestroyed;
  if (cudaError_t fault = device.fault())
    return fault;
  return legacy() ? refuseLegacyWhileCapturing(ordinal()) : cudaSuccess;
}

cudaError_t CUstream_st::copy(void *to, const void *from, size_t size) {
  return translate(queue->copy(to, from, size));
}

cudaError_t CUstream_st::copyRows(void *to, size_t toPitch, const void *from,
                                  size_t fromPitch, size_t width, size_t rows) {
  return translate(queue->copyRows(to, toPitch, from, fromPitch, width, rows));
}

cudaError_t CUstream_st::fill(void *to, uint32_t value, uint32_t elementSize,
                              size_t count) {
  return translate(queue->fill(to, value, elementSize, elementSize * count));
}

cudaError_t CUstream_st::call(const HostOperation &host) {
  return translate(queue->call([=, &of = device.device] {
    if (host.isCallback || of.faultKind() == HET_FAULT_NONE)
      callHostFunction(host.function, host.data);
  }));
}

cudaError_t CUstream_st::cleanUp(cudaHostFn_t function, void *data) {
  return translate(queue->call([=] { function(data); }));
}

cudaError_t CUstream_st::launch(const Launch &launch) {
  if (cudaError_t error = prepare(*launch.kernel))
    return error;
  core::LaunchShape shape = {{launch.grid.x, launch.grid.y, launch.grid.z},
                             {launch.block.x, launch.block.y, launch.block.z},
                             static_cast<uint32_t>(launch.sharedBytes),
                             launch.cooperative};
  return translate(queue->launch(*launch.kernel->kernel, shape, launch.arguments.data,
                                 launch.arguments.size),
                   cudaErrorInvalidConfiguration);
}

cudaError_t CUstream_st::record(CUevent_st &event) {
  if (!event.event)
    return cudaErrorContextIsDestroyed;
  event.noteRecord();
  device.pool->noteRecord(*this, event);
  return translate(queue->record(*event.event));
}

cudaError_t CUstream_st::wait(CUevent_st &event) {
  if (!event.event)
    return cudaErrorContextIsDestroyed;
  device.pool->noteWait(*this, event);
  return translate(queue->wait(*event.event));
}

cudaError_t CUstream_st::synchronize() {
  queue->synchronize();
  device.pool->noteSynchronisation();
  return device.fault();
}

cudaError_t CUstream_st::query() {
  if (!queue->isIdle())
    return cudaErrorNotReady;
  return device.fault();
}

void CUevent_st::noteRecord() {
  {
    std::lock_guard<std::mutex> lock(captureState().mutex);
    point = {};
  }
  device.pool->noteRecordInGraph(*this);
  recorded.store(true, std::memory_order_release);
}

cudaError_t CUevent_st::synchronize() {
  if (!event)
    return cudaErrorContextIsDestroyed;
  event->wait();
  device.pool->noteSynchronisation();
  return device.fault();
}

cudaError_t CUevent_st::query() {
  if (!event)
    return cudaErrorContextIsDestroyed;
  if (cudaError_t fault = device.fault())
    return fault;
  return event->isDone() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t CUevent_st::elapsed(CUevent_st &start, float &milliseconds) {
  if (!recorded.load(std::memory_order_acquire) ||
      !start.recorded.load(std::memory_order_acquire))
    return cudaErrorInvalidResourceHandle;
  for (CUevent_st *one : {&start, this})
    if (cudaError_t error = one->query())
      return error;
  if (&device != &start.device)
    return cudaErrorInvalidResourceHandle;
  Result<int64_t> nanoseconds = event->since(*start.event);
  if (!nanoseconds.ok())
    return translate(nanoseconds.status());
  milliseconds = static_cast<float>(static_cast<double>(*nanoseconds) * 1e-6);
  return cudaSuccess;
}
