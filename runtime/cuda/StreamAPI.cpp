// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: creation, waiting, questions and callbacks. Capture is in
// CaptureAPI.cpp.

#include "Capture.h"
#include "Context.h"
#include "Errors.h"
#include "Stream.h"

#include <algorithm>
#include <memory>

using namespace het::cuda;

static cudaError_t create(cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream || (flags & ~cudaStreamNonBlocking))
    return cudaErrorInvalidValue;
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  return device->createStream(
      flags, std::clamp(priority, greatestPriority, leastPriority), stream);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) try {
  return remember(create(stream, cudaStreamDefault, 0));
}
HET_CATCH

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) try {
  return remember(create(stream, flags, 0));
}
HET_CATCH

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority) try {
  return remember(create(stream, flags, priority));
}
HET_CATCH

cudaError_t cudaStreamDestroy(cudaStream_t stream) try {
  if (builtinStream(stream))
    return remember(cudaErrorInvalidResourceHandle);
  if (cudaError_t refused = beginCall())
    return remember(refused);
  return remember(stream->device.destroyStream(stream));
}
HET_CATCH

/// Resolves a handle and hands the stream to `use`.
template <typename Use> static cudaError_t with(cudaStream_t handle, Use use) {
  CUstream_st *stream = nullptr;
  cudaError_t error = resolveStream(handle, stream);
  return remember(error ? error : use(*stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) try {
  return with(handle, [](CUstream_st &stream) {
    cudaError_t refused = refuseIfCapturing(&stream);
    if (!refused)
      refused = stream.admit();
    return refused ? refused : stream.synchronize();
  });
}
HET_CATCH

cudaError_t cudaStreamQuery(cudaStream_t handle) try {
  return with(handle, [](CUstream_st &stream) {
    cudaError_t refused = refuseIfCapturing(&stream);
    if (!refused)
      refused = stream.admit();
    return refused ? refused : stream.query();
  });
}
HET_CATCH

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event,
                                unsigned flags) try {
  if (!event)
    return remember(cudaErrorInvalidResourceHandle);
  if (flags & ~cudaEventWaitExternal)
    return remember(cudaErrorInvalidValue);
  return with(handle, [&](CUstream_st &stream) {
    return submit(&stream, WaitOperation{event->shared_from_this(),
                                         (flags & cudaEventWaitExternal) != 0});
  });
}
HET_CATCH

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                               void *data) try {
  if (!function)
    return remember(cudaErrorInvalidValue);
  return remember(submit(stream, HostOperation{function, data}));
}
HET_CATCH

namespace {

/// A callback of the old kind, which also hears of the stream and its state.
struct Callback {
  Device &device;
  cudaStreamCallback_t function;
  cudaStream_t stream; ///< As the program named it.
  void *data;
};

void runCallback(void *memory) {
  std::unique_ptr<Callback> callback(static_cast<Callback *>(memory));
  callback->function(callback->stream, callback->device.fault(), callback->data);
}

} // namespace

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function,
                                  void *data, unsigned flags) try {
  if (!function || flags)
    return remember(cudaErrorInvalidValue);
  return with(handle, [&](CUstream_st &stream) {
    if (cudaError_t refused = refuseIfCapturing(&stream))
      return refused;
    auto callback =
        std::make_unique<Callback>(Callback{stream.device, function, handle, data});
    cudaError_t error = submit(&stream, HostOperation{runCallback, callback.get(), true});
    if (!error)
      (void)callback.release(); // runCallback owns it now
    return error;
  });
}
HET_CATCH

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) try {
  if (!flags)
    return remember(cudaErrorInvalidValue);
  return with(handle, [&](CUstream_st &stream) {
    *flags = stream.flags;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) try {
  if (!priority)
    return remember(cudaErrorInvalidValue);
  return with(handle, [&](CUstream_st &stream) {
    *priority = stream.priority;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) try {
  if (!id)
    return remember(cudaErrorInvalidValue);
  return with(handle, [&](CUstream_st &stream) {
    *id = stream.id;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device) try {
  if (!device)
    return remember(cudaErrorInvalidValue);
  return with(handle, [&](CUstream_st &stream) {
    *device = stream.ordinal();
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void *pointer, size_t,
                                     unsigned flags) try {
  if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
                   flags != cudaMemAttachSingle))
    return remember(cudaErrorInvalidValue);
  // Managed memory is coherent for all streams at all times: there is nothing
  // to restrict.
  return with(handle, [](CUstream_st &) { return cudaSuccess; });
}
HET_CATCH

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) try {
  if (least)
    *least = leastPriority;
  if (greatest)
    *greatest = greatestPriority;
  return cudaSuccess;
}
HET_CATCH
