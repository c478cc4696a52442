// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime API has for OpenGL alone, and the functions of CUDA 1 to 3, which call
// a buffer by its name.

#include "../Context.h"
#include "OpenGL.h"
#include "OpenGLResources.h"

#include <algorithm>
#include <map>

using namespace het::cuda;

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **resource, unsigned buffer,
                                         unsigned flags) try {
  return remember(resource ? registerBuffer(buffer, flags, *resource)
                           : cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **resource, unsigned image,
                                        unsigned target, unsigned flags) try {
  return remember(resource ? registerImage(image, target, flags, *resource)
                           : cudaErrorInvalidValue);
}
HET_CATCH

/// Every device shares with every context, since contents are copied.
cudaError_t cudaGLGetDevices(unsigned *count, int *devices, unsigned room,
                             cudaGLDeviceList list) try {
  if (!count || !devices || !room || list < cudaGLDeviceListAll ||
      list > cudaGLDeviceListNextFrame)
    return remember(cudaErrorInvalidValue);
  OpenGL gl;
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  if (cudaError_t error = OpenGL::current(gl))
    return remember(error);
  *count = std::min(room, static_cast<unsigned>(deviceCount()));
  for (unsigned index = 0; index < *count; ++index)
    devices[index] = static_cast<int>(index);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }

namespace {

/// The resources of buffers that were registered by name. A reset of their device may
/// have taken them.
struct Buffers {
  std::mutex mutex; ///< Guards what follows.
  std::map<unsigned, std::weak_ptr<cudaGraphicsResource>> all;
};

Buffers &buffers() {
  static auto *instance = new Buffers;
  return *instance;
}

cudaGraphicsResource_t find(unsigned buffer) {
  std::lock_guard<std::mutex> lock(buffers().mutex);
  auto found = buffers().all.find(buffer);
  return found == buffers().all.end() ? nullptr : found->second.lock().get();
}

} // namespace

cudaError_t cudaGLRegisterBufferObject(unsigned buffer) try {
  cudaGraphicsResource_t made = nullptr;
  if (find(buffer))
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = registerBuffer(buffer, cudaGraphicsRegisterFlagsNone, made))
    return remember(error);
  std::lock_guard<std::mutex> lock(buffers().mutex);
  buffers().all[buffer] = made->weak_from_this();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGLUnregisterBufferObject(unsigned buffer) try {
  cudaGraphicsResource_t resource = find(buffer);
  cudaError_t error = cudaGraphicsUnregisterResource(resource);
  if (error == cudaErrorAlreadyMapped)
    return error;
  std::lock_guard<std::mutex> lock(buffers().mutex);
  buffers().all.erase(buffer);
  return error;
}
HET_CATCH

cudaError_t cudaGLSetBufferObjectMapFlags(unsigned buffer, unsigned flags) try {
  return cudaGraphicsResourceSetMapFlags(find(buffer), flags);
}
HET_CATCH

cudaError_t cudaGLMapBufferObjectAsync(void **pointer, unsigned buffer,
                                       cudaStream_t stream) try {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  cudaGraphicsResource_t resource = find(buffer);
  size_t size = 0;
  cudaError_t error = cudaGraphicsMapResources(1, &resource, stream);
  return error ? error : cudaGraphicsResourceGetMappedPointer(pointer, &size, resource);
}
HET_CATCH

cudaError_t cudaGLMapBufferObject(void **pointer, unsigned buffer) {
  return cudaGLMapBufferObjectAsync(pointer, buffer, nullptr);
}

cudaError_t cudaGLUnmapBufferObjectAsync(unsigned buffer, cudaStream_t stream) try {
  cudaGraphicsResource_t resource = find(buffer);
  return cudaGraphicsUnmapResources(1, &resource, stream);
}
HET_CATCH

cudaError_t cudaGLUnmapBufferObject(unsigned buffer) {
  return cudaGLUnmapBufferObjectAsync(buffer, nullptr);
}
