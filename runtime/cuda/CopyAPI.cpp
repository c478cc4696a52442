// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMemcpy, cudaMemset and their pitched, boxed and asynchronous forms. Forms
// with arrays are in ArrayAPI.cpp, with symbols in SymbolAPI.cpp.

#include "Context.h"
#include "Copy.h"
#include "Errors.h"
#include "Memory.h"

using namespace het::cuda;

/// Work inside device memory does not hold up the host, unless the program wants that.
static bool mayGoOn(const void *memory) {
  const MemoryRange range = findMemory(memory);
  return range.kind == MemoryKind::Device && !isWaited(range);
}

static Wait waitOf(const CopyOperation &copy) {
  return mayGoOn(copy.to.base) && mayGoOn(copy.from.base) ? Wait::No : Wait::Yes;
}

static Wait waitOf(const FillOperation &fill) {
  return mayGoOn(fill.to.base) ? Wait::No : Wait::Yes;
}

static cudaError_t copyNow(cudaError_t made, const CopyOperation &copy) {
  return remember(made ? made : submitCopy(nullptr, copy, waitOf(copy)));
}

static cudaError_t copyLater(cudaError_t made, const CopyOperation &copy,
                             cudaStream_t stream) {
  return remember(made ? made : submitCopy(stream, copy, Wait::No));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind) try {
  CopyOperation copy;
  cudaError_t made = makeCopy(to, from, size, kind, copy);
  return copyNow(made, copy);
}
HET_CATCH

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = makeCopy(to, from, size, kind, copy);
  return copyLater(made, copy, stream);
}
HET_CATCH

static cudaError_t makePeer(void *to, int toDevice, const void *from, int fromDevice,
                            size_t size, CopyOperation &copy) {
  if (!validDevice(toDevice) || !validDevice(fromDevice))
    return cudaErrorInvalidDevice;
  return makeCopy(to, from, size, cudaMemcpyDeviceToDevice, copy);
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice,
                           size_t size) try {
  CopyOperation copy;
  cudaError_t made = makePeer(to, toDevice, from, fromDevice, size, copy);
  return copyNow(made, copy);
}
HET_CATCH

cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice,
                                size_t size, cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = makePeer(to, toDevice, from, fromDevice, size, copy);
  return copyLater(made, copy, stream);
}
HET_CATCH

static cudaError_t make2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                          size_t width, size_t height, cudaMemcpyKind kind,
                          CopyOperation &copy) {
  Region target = {static_cast<char *>(to), toPitch, 0};
  Region source = {static_cast<char *>(const_cast<void *>(from)), fromPitch, 0};
  return makeCopy2D(target, source, width, height, kind, copy);
}

/// The attributes of each copy: those of the last index that is not behind it.
/// All are hints but the order in which sources are read, and every source that
/// the caller may change is read before the call returns.
static cudaError_t checkBatch(void **to, void **from, const size_t *sizes, size_t count,
                              const cudaMemcpyAttributes *attributes,
                              const size_t *firsts, size_t number) {
  if (!to || !from || !sizes || !count || !attributes || !firsts || !number ||
      number > count || firsts[0] != 0)
    return cudaErrorInvalidValue;
  for (size_t index = 1; index < number; ++index)
    if (firsts[index] <= firsts[index - 1] || firsts[index] >= count)
      return cudaErrorInvalidValue;
  for (size_t index = 0; index < number; ++index)
    if (attributes[index].srcAccessOrder < cudaMemcpySrcAccessOrderStream ||
        attributes[index].srcAccessOrder > cudaMemcpySrcAccessOrderAny)
      return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t cudaMemcpyBatchAsync(void **to, void **from, size_t *sizes, size_t count,
                                 cudaMemcpyAttributes *attributes, size_t *firsts,
                                 size_t number, size_t *failed, cudaStream_t stream) try {
  if (failed)
    *failed = SIZE_MAX; // no copy of its own
  if (cudaError_t error = checkBatch(to, from, sizes, count, attributes, firsts, number))
    return remember(error);
  for (size_t index = 0; index < count; ++index)
    if (cudaError_t error = cudaMemcpyAsync(to[index], from[index], sizes[index],
                                            cudaMemcpyDefault, stream)) {
      if (failed)
        *failed = index;
      return error;
    }
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                         size_t width, size_t height, cudaMemcpyKind kind) try {
  CopyOperation copy;
  cudaError_t made = make2D(to, toPitch, from, fromPitch, width, height, kind, copy);
  return copyNow(made, copy);
}
HET_CATCH

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                              size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = make2D(to, toPitch, from, fromPitch, width, height, kind, copy);
  return copyLater(made, copy, stream);
}
HET_CATCH

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *params) try {
  CopyOperation copy;
  cudaError_t made = makeCopy3D(params, copy);
  return copyNow(made, copy);
}
HET_CATCH

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *params, cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = makeCopy3D(params, copy);
  return copyLater(made, copy, stream);
}
HET_CATCH

static cudaError_t makePeer3D(const cudaMemcpy3DPeerParms *params, CopyOperation &copy) {
  if (!params)
    return cudaErrorInvalidValue;
  if (!validDevice(params->srcDevice) || !validDevice(params->dstDevice))
    return cudaErrorInvalidDevice;
  cudaMemcpy3DParms plain = {params->srcArray, params->srcPos,          params->srcPtr,
                             params->dstArray, params->dstPos,          params->dstPtr,
                             params->extent,   cudaMemcpyDeviceToDevice};
  return makeCopy3D(&plain, copy);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *params) try {
  CopyOperation copy;
  cudaError_t made = makePeer3D(params, copy);
  return copyNow(made, copy);
}
HET_CATCH

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *params,
                                  cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = makePeer3D(params, copy);
  return copyLater(made, copy, stream);
}
HET_CATCH

static cudaError_t fillNow(const FillOperation &fill) {
  cudaError_t error = checkFill(fill);
  return remember(error ? error : submitFill(nullptr, fill, waitOf(fill)));
}

static cudaError_t fillLater(const FillOperation &fill, cudaStream_t stream) {
  cudaError_t error = checkFill(fill);
  return remember(error ? error : submitFill(stream, fill, Wait::No));
}

/// A fill with bytes of a box.
static FillOperation bytes(void *to, size_t pitch, size_t plane, int value,
                           const cudaExtent &extent) {
  FillOperation fill;
  fill.to = {static_cast<char *>(to), pitch, plane};
  fill.value = static_cast<unsigned char>(value);
  fill.width = extent.width;
  fill.height = extent.height;
  fill.depth = extent.depth;
  return fill;
}

cudaError_t cudaMemset(void *to, int value, size_t size) try {
  return fillNow(bytes(to, size, size, value, {size, 1, 1}));
}
HET_CATCH

cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream) try {
  return fillLater(bytes(to, size, size, value, {size, 1, 1}), stream);
}
HET_CATCH

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width,
                         size_t height) try {
  return fillNow(bytes(to, pitch, 0, value, {width, height, 1}));
}
HET_CATCH

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream) try {
  return fillLater(bytes(to, pitch, 0, value, {width, height, 1}), stream);
}
HET_CATCH

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) try {
  return fillNow(bytes(to.ptr, to.pitch, planeOf(to.pitch, to.ysize), value, extent));
}
HET_CATCH

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) try {
  return fillLater(bytes(to.ptr, to.pitch, planeOf(to.pitch, to.ysize), value, extent),
                   stream);
}
HET_CATCH
