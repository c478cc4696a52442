// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events over the core's, and the special stream handles.

#include "Stream.h"
#include "HostFunction.h"
#include "Launch.h"
#include "Module.h"
#include "driver/Driver.h"

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

cudaError_t perThreadStream(Device &device, CUstream_st *&result) {
  result = device.legacy.get();
  if (threadEnds)
    return cudaSuccess;
  cudaStream_t &stream = threadStreams.byDevice[device.ordinal];
  if (stream && !stream->queue) { // the device was reset
    device.destroyStream(stream);
    stream = nullptr;
  }
  if (!stream)
    if (cudaError_t error = device.createStream(cudaStreamDefault, 0, &stream))
      return error;
  result = stream;
  return cudaSuccess;
}

} // namespace

namespace het::cuda {

bool builtinStream(cudaStream_t handle) {
  return !handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
}

cudaError_t resolveStream(cudaStream_t handle, CUstream_st *&stream) {
  if (cudaError_t refused = beginCall())
    return refused;
  stream = handle;
  if (!builtinStream(handle))
    return cudaSuccess;
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (handle == cudaStreamPerThread || (!handle && PerThreadDefault::isOn()))
    return perThreadStream(*device, stream);
  stream = device->legacy.get();
  return cudaSuccess;
}

cudaError_t follow(core::Stream &stream, const std::weak_ptr<core::Stream> &latest) {
  std::shared_ptr<core::Stream> other = latest.lock();
  if (!other || other.get() == &stream)
    return cudaSuccess;
  Result<std::shared_ptr<core::Event>> event = core::Event::create(other->device());
  if (!event.ok())
    return translate(event.status(), cudaErrorMemoryAllocation);
  if (Status status = other->record(**event); !status.ok())
    return translate(status);
  return translate(stream.wait(**event));
}

cudaError_t joinStreams(Device &device, CUstream_st &stream) {
  std::lock_guard<std::mutex> lock(device.mutex);
  std::vector<CUstream_st *> all(device.streams.begin(), device.streams.end());
  all.push_back(device.legacy.get());
  for (CUstream_st *other : all) {
    if (other == &stream || !other->queue)
      continue;
    Result<std::shared_ptr<core::Event>> reached = core::Event::create(device.device);
    if (!reached.ok())
      return translate(reached.status(), cudaErrorMemoryAllocation);
    Status status = other->queue->record(**reached);
    if (status.ok())
      status = stream.queue->wait(**reached);
    if (!status.ok())
      return translate(status);
  }
  return cudaSuccess;
}

cudaError_t holdStreams(Device &device, CUevent_st &event) {
  std::lock_guard<std::mutex> lock(device.mutex);
  for (CUstream_st *stream : device.streams)
    if (stream->queue)
      if (cudaError_t error = stream->wait(event))
        return error;
  return device.legacy->wait(event);
}

} // namespace het::cuda

/// The code for work that a queue did not take. It may have lacked a thread or memory.
static cudaError_t given(const Status &status,
                         cudaError_t invalid = cudaErrorInvalidValue) {
  return translate(status, status.code == Code::Unavailable ? cudaErrorMemoryAllocation
                                                            : invalid);
}

CUstream_st::~CUstream_st() {
  release();
  if (context)
    driver::releaseContext(context);
}

cudaError_t CUstream_st::admit() {
  if (!queue)
    return cudaErrorContextIsDestroyed;
  if (cudaError_t fault = device.fault())
    return fault;
  return legacy() ? refuseLegacyWhileCapturing(ordinal()) : cudaSuccess;
}

cudaError_t CUstream_st::copy(void *to, const void *from, size_t size) {
  return given(queue->copy(to, from, size));
}

cudaError_t CUstream_st::copyRows(void *to, size_t toPitch, const void *from,
                                  size_t fromPitch, size_t width, size_t rows) {
  return given(queue->copyRows(to, toPitch, from, fromPitch, width, rows));
}

cudaError_t CUstream_st::fill(void *to, uint32_t value, uint32_t elementSize,
                              size_t count) {
  return given(queue->fill(to, value, elementSize, elementSize * count));
}

cudaError_t CUstream_st::call(const HostOperation &host) {
  return given(queue->call([=, &of = device.device] {
    if (host.isCallback || of.faultKind() == HET_FAULT_NONE)
      callHostFunction(host.function, host.data);
  }));
}

cudaError_t CUstream_st::addNative(const std::function<void(void *stream)> &work) {
  return given(queue->addNative(work));
}

cudaError_t CUstream_st::addCall(std::function<void()> function) {
  return given(queue->call(std::move(function)));
}

cudaError_t CUstream_st::cleanUp(cudaHostFn_t function, void *data) {
  return given(queue->call([=] { function(data); }));
}

cudaError_t CUstream_st::launch(const Launch &launch) {
  if (cudaError_t error = prepare(*launch.kernel))
    return error;
  core::LaunchShape shape = shapeOf(launch);
  // The driver does not see what the pool does between two launches.
  shape.programmatic = !hasReused.exchange(false) && launch.programmatic;
  return given(queue->launch(*launch.kernel->kernel, shape, launch.arguments.data,
                             launch.arguments.size),
               cudaErrorInvalidConfiguration);
}

cudaError_t CUstream_st::record(CUevent_st &event) {
  if (!event.event)
    return cudaErrorContextIsDestroyed;
  event.noteRecord();
  device.pool->noteRecord(*this, event);
  if (Status status = queue->record(*event.event); !status.ok()) {
    device.pool->noteRecordInGraph(event); // it says nothing of frees
    return given(status);
  }
  event.recorded.store(true, std::memory_order_release);
  if (const std::shared_ptr<SharedSignal> &shared = event.shared)
    return given(
        queue->call([shared, number = shared->record()] { shared->reach(number); }));
  return cudaSuccess;
}

cudaError_t CUstream_st::wait(CUevent_st &event) {
  if (!event.event)
    return cudaErrorContextIsDestroyed;
  device.pool->noteWait(*this, event);
  if (const std::shared_ptr<SharedSignal> &shared = event.shared) {
    const uint32_t latest = shared->latest();
    if (shared->isReached(latest))
      return cudaSuccess;
    return given(queue->call([shared, latest] { shared->wait(latest); }));
  }
  return given(queue->wait(*event.event));
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
}

cudaError_t CUevent_st::synchronize() {
  if (!event)
    return cudaErrorContextIsDestroyed;
  if (shared)
    shared->wait(shared->latest());
  event->wait();
  device.pool->noteSynchronisation();
  return device.fault();
}

cudaError_t CUevent_st::query() {
  if (!event)
    return cudaErrorContextIsDestroyed;
  if (cudaError_t fault = device.fault())
    return fault;
  const bool isReached = !shared || shared->isReached(shared->latest());
  return isReached && event->isDone() ? cudaSuccess : cudaErrorNotReady;
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
