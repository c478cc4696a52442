// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of het/native.h, by which libraries put into streams what is no kernel.

#include "HostFunction.h"
#include "Stream.h"
#include "core/Executor.h"

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
