// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of het/native.h, by which libraries put into streams what is no kernel.

#include "HostFunction.h"
#include "NativeWork.h"
#include "Stream.h"
#include "core/Executor.h"

#include "het/Base/Log.h"

#pragma GCC visibility push(default)
#include <het/native.h>
#pragma GCC visibility pop

using namespace het;
using namespace het::cuda;

namespace {

/// The stream of a handle, if it takes such work now. Refusals are no last error: the
/// library goes on with kernels.
cudaError_t admitted(cudaStream_t handle, CUstream_st *&stream) {
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (stream->capturing.load(std::memory_order_acquire))
    return cudaErrorStreamCaptureUnsupported;
  if (!stream->device.device.executor().keepsMemory())
    return cudaErrorNotSupported;
  return stream->admit();
}

/// The workspace of a capturing stream, made when it is first needed.
cudaError_t workspaceOf(CUstream_st &stream, size_t size,
                        std::shared_ptr<NativeWorkspace> &workspace) {
  const auto find = [&](const std::shared_ptr<NativeWorkspace> &made) {
    std::shared_ptr<NativeWorkspace> smaller; // goes without the lock
    std::lock_guard<std::mutex> lock(captureState().mutex);
    const std::shared_ptr<Capture> &capture = stream.point.capture;
    if (!capture || capture->invalidated)
      return cudaErrorStreamCaptureInvalidated;
    std::shared_ptr<NativeWorkspace> &own = capture->workspaces[&stream];
    if (made && (!own || own->size < size)) {
      smaller = std::move(own);
      own = made;
    }
    workspace = own && own->size >= size ? own : nullptr;
    return cudaSuccess;
  };
  if (cudaError_t error = find(nullptr); error || workspace)
    return error;
  std::shared_ptr<NativeWorkspace> made;
  if (cudaError_t error = makeWorkspace(stream.device, size, made))
    return error;
  return find(made);
}

/// That it can not be recorded is no failure of the capture: it goes on.
cudaError_t notRecorded(const char *why) {
  log(Level::Debug, "capture: a library's work is not recorded: %s", why);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t record(CUstream_st &stream, size_t workspaceSize,
                   int (*work)(void *, void *, void *), void *data) {
  if (!stream.capturing.load(std::memory_order_acquire))
    return cudaErrorIllegalState;
  core::Device &device = stream.device.device;
  if (!core::NativeWork::isOfferedBy(device))
    return cudaErrorNotSupported;
  if (cudaError_t error = stream.admit())
    return error;
  NativeOperation operation;
  if (workspaceSize)
    if (cudaError_t error = workspaceOf(stream, workspaceSize, operation.workspace))
      return error == cudaErrorMemoryAllocation ? notRecorded("no memory to work in")
                                                : error;
  void *memory = operation.workspace ? operation.workspace->memory : nullptr;
  bool isWanted = false;
  Result<std::shared_ptr<core::NativeWork>> recorded = core::NativeWork::record(
      device, [&](void *native) { isWanted = work(native, memory, data) == 0; });
  if (!recorded.ok())
    return recorded.status().code == Code::Unsupported
               ? notRecorded(recorded.status().text().c_str())
               : translate(recorded.status());
  if (!isWanted)
    return cudaSuccess;
  operation.work = recorded.take();
  return capture(&stream, std::move(operation));
}

} // namespace

cudaError_t hetGetNativeTarget(int number, const char **target, int *mayMove) try {
  if (cudaError_t refused = beginCall())
    return refused;
  if (!validDevice(number))
    return cudaErrorInvalidDevice;
  const core::Device &device = deviceAt(number)->device;
  if (target)
    *target = device.target().name().c_str();
  if (mayMove)
    *mayMove = !device.executor().keepsMemory();
  return cudaSuccess;
}
HET_CATCH

cudaError_t hetEnqueueNative(cudaStream_t handle, void (*work)(void *, void *),
                             void *data) try {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = admitted(handle, stream))
    return error;
  if (!stream->device.device.abi().enqueueNative)
    return cudaErrorNotSupported;
  return stream->addNative([=](void *native) { work(native, data); });
}
HET_CATCH

cudaError_t hetRecordNative(cudaStream_t handle, size_t workspaceSize,
                            int (*work)(void *, void *, void *), void *data) try {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  return record(*stream, workspaceSize, work, data);
}
HET_CATCH

cudaError_t hetEnqueueCall(cudaStream_t handle, void (*work)(void *, int),
                           void *data) try {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = admitted(handle, stream))
    return error;
  return stream->addCall([work, data, &of = stream->device.device] {
    work(data, of.faultKind() != HET_FAULT_NONE);
  });
}
HET_CATCH
