// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's streams and events.

#include "FakeState.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace fake;

void State::drain(Stream &stream, const Record *last) {
  if (stream.isBusy || stream.records)
    return;
  stream.isBusy = true;
  stream.isWaiting = false;
  while (!stream.work.empty() && !stream.isWaiting && !stream.context->dead &&
         !(last && last->reached)) {
    std::function<void()> work = std::move(stream.work.front());
    stream.work.pop_front();
    work();
  }
  if (stream.context->dead && !stream.isWaiting)
    stream.work.clear();
  stream.isBusy = false;
}

void State::runAll() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  for (Stream *stream : streams)
    drain(*stream);
}

void fake::record(Event &event, Stream &stream) {
  auto record = std::make_shared<Record>(Record{&stream});
  event.latest = record;
  stream.work.push_back([record] {
    static double now = 0;
    record->milliseconds = now += 1.5;
    record->reached = true;
  });
}

void fake::wait(Event &event, Stream &stream) {
  if (auto record = event.latest)
    stream.work.push_back([record] {
      if (!record->reached)
        state().drain(*record->stream, record.get());
    });
}

/// Puts a wait until the word has reached the value into a stream.
static void wait(const uint32_t *word, uint32_t value, Stream &stream, bool isFirst) {
  auto work = [word, value, &stream] {
    stream.isWaiting = static_cast<int32_t>(*word - value) < 0;
    if (stream.isWaiting)
      wait(word, value, stream, true);
  };
  if (isFirst)
    stream.work.push_front(work);
  else
    stream.work.push_back(work);
}

/// The stream where it is alive and of the current context.
static CUresult enterStream(const char *symbol, CUstream stream) {
  if (stream && !state().streams.count(unwrap(stream)))
    return state().misuse(symbol, "not a stream");
  return state().enterContextOf(symbol, stream ? unwrap(stream)->context : current);
}

static CUresult enterEvent(const char *symbol, CUevent event) {
  if (!state().events.count(unwrap(event)))
    return state().misuse(symbol, "not an event");
  return state().enterContextOf(symbol, unwrap(event)->context);
}

#define FAKE_OF(function, handle)                                                        \
  std::unique_lock<std::recursive_mutex> lock(state().mutex);                            \
  if (CUresult failure = function(__func__, handle))                                     \
    return failure;

EXPORTED CUresult cuStreamCreate(CUstream *out, unsigned flags) {
  FAKE(enterContext);
  if (flags != CU_STREAM_NON_BLOCKING)
    return state().misuse(__func__, "flags");
  auto *stream = new Stream{current, {}, false};
  state().streams.insert(stream);
  *out = reinterpret_cast<CUstream>(stream);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuStreamDestroy_v2(CUstream stream) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  CUresult result = enterStream(__func__, stream);
  if (!state().streams.count(unwrap(stream)) || (current && current->dead))
    return result;
  state().drain(*unwrap(stream));
  state().streams.erase(unwrap(stream));
  delete unwrap(stream);
  return result;
}

/// A stream that records is not to be asked for its work.
static bool isSpoilt(CUstream stream) {
  return stream && unwrap(stream)->records && (unwrap(stream)->isSpoilt = true);
}

EXPORTED CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  FAKE_OF(enterStream, stream);
  if (mode != CU_STREAM_CAPTURE_MODE_RELAXED || unwrap(stream)->records)
    return state().misuse(__func__, "a capture");
  unwrap(stream)->records = true;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  FAKE_OF(enterStream, stream);
  Stream &own = *unwrap(stream);
  if (!own.records)
    return state().misuse(__func__, "no capture");
  own.records = false;
  auto recorded = std::exchange(own.work, {});
  if (std::exchange(own.isSpoilt, false))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED + 1; // invalidated
  auto *graph = new Graph{current, {}};
  for (auto &work : recorded)
    graph->nodes.push_back(std::make_unique<GraphNode>(
        GraphNode{graph, false, [work](Stream &to) { to.work.push_back(work); },
                  state().recordsAllocations ? CU_GRAPH_NODE_TYPE_MEM_ALLOC : 0}));
  state().graphs.insert(graph);
  *out = reinterpret_cast<CUgraph>(graph);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuStreamSynchronize(CUstream stream) {
  FAKE_OF(enterStream, stream);
  if (isSpoilt(stream))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream)
    state().drain(*unwrap(stream));
  return current->dead;
}

EXPORTED CUresult cuStreamQuery(CUstream stream) {
  FAKE_OF(enterStream, stream);
  return unwrap(stream)->work.empty() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

EXPORTED CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  FAKE_OF(enterStream, stream);
  if (!state().events.count(unwrap(event)))
    return state().misuse(__func__, "not an event");
  if (CUresult dead = unwrap(event)->context->dead)
    return dead;
  wait(*unwrap(event), *unwrap(stream));
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr to, uint32_t value,
                                          unsigned) {
  FAKE_OF(enterStream, stream);
  unwrap(stream)->work.push_back([=] { *reinterpret_cast<uint32_t *>(to) = value; });
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr at, uint32_t value,
                                         unsigned flags) {
  FAKE_OF(enterStream, stream);
  if (flags != CU_STREAM_WAIT_VALUE_GEQ)
    return state().misuse(__func__, "flags");
  wait(reinterpret_cast<const uint32_t *>(at), value, *unwrap(stream), false);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                                CUstream stream) {
  FAKE_OF(enterStream, stream);
  unwrap(stream)->work.push_back([=] {
    std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
  });
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *given, CUstream stream) {
  FAKE_OF(enterStream, stream);
  CUDA_MEMCPY2D copy = *given;
  if (copy.src.memoryType != CU_MEMORYTYPE_UNIFIED ||
      copy.dst.memoryType != CU_MEMORYTYPE_UNIFIED || copy.src.host || copy.dst.y ||
      copy.src.pitch > INT32_MAX || copy.dst.pitch > INT32_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  unwrap(stream)->work.push_back([copy] {
    for (size_t row = 0; row < copy.Height; ++row)
      std::memcpy(reinterpret_cast<char *>(copy.dst.device) + row * copy.dst.pitch,
                  reinterpret_cast<char *>(copy.src.device) + row * copy.src.pitch,
                  copy.WidthInBytes);
  });
  return CUDA_SUCCESS;
}

template <class Value>
static CUresult fill(const char *symbol, CUdeviceptr to, Value value, size_t count,
                     CUstream stream) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (CUresult failure = enterStream(symbol, stream))
    return failure;
  unwrap(stream)->work.push_back([=] {
    for (size_t i = 0; i < count; ++i)
      reinterpret_cast<Value *>(to)[i] = value;
  });
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value,
                                     size_t width, size_t height, CUstream stream) {
  FAKE_OF(enterStream, stream);
  if (pitch < width * sizeof(value) || pitch % sizeof(value))
    return CUDA_ERROR_INVALID_VALUE;
  unwrap(stream)->work.push_back([=] {
    for (size_t row = 0; row < height; ++row)
      std::fill_n(reinterpret_cast<unsigned *>(to + row * pitch), width, value);
  });
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                  CUstream stream) {
  return fill(__func__, to, value, count, stream);
}
EXPORTED CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                   CUstream stream) {
  return fill(__func__, to, value, count, stream);
}
EXPORTED CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                                   CUstream stream) {
  return fill(__func__, to, value, count, stream);
}

EXPORTED CUresult cuLaunchHostFunc(CUstream stream, CUhostFn call, void *data) {
  FAKE_OF(enterStream, stream);
  unwrap(stream)->work.push_back([=] { call(data); });
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuEventCreate(CUevent *out, unsigned flags) {
  FAKE(enterContext);
  auto *event = new Event{current, flags == CU_EVENT_DEFAULT, nullptr};
  state().events.insert(event);
  *out = reinterpret_cast<CUevent>(event);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuEventDestroy_v2(CUevent event) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  CUresult result = enterEvent(__func__, event);
  if (!state().events.count(unwrap(event)) || (current && current->dead))
    return result;
  state().events.erase(unwrap(event));
  delete unwrap(event);
  return result;
}

EXPORTED CUresult cuEventRecord(CUevent event, CUstream stream) {
  FAKE_OF(enterEvent, event);
  record(*unwrap(event), *unwrap(stream));
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuEventSynchronize(CUevent event) {
  FAKE_OF(enterEvent, event);
  if (auto record = unwrap(event)->latest; record && !record->reached)
    state().drain(*record->stream, record.get());
  return current->dead;
}

EXPORTED CUresult cuEventQuery(CUevent event) {
  FAKE_OF(enterEvent, event);
  auto record = unwrap(event)->latest;
  return !record || record->reached ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

EXPORTED CUresult cuEventElapsedTime(float *out, CUevent from, CUevent to) {
  FAKE_OF(enterEvent, from);
  auto first = unwrap(from)->latest, last = unwrap(to)->latest;
  if (!first || !last || !unwrap(from)->timed || !unwrap(to)->timed)
    return CUDA_ERROR_INVALID_VALUE;
  if (!first->reached || !last->reached)
    return CUDA_ERROR_NOT_READY;
  *out = static_cast<float>(last->milliseconds - first->milliseconds);
  return CUDA_SUCCESS;
}
