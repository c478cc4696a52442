// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: graphics resources, and those of OpenGL. Their handles are the runtime
// API's.

#include "Driver.h"

#include "../Memory.h"

using namespace het::cuda;
using namespace het::cuda::driver;

static cudaGraphicsResource_t resourceOf(CUgraphicsResource handle) {
  return reinterpret_cast<cudaGraphicsResource_t>(handle);
}

static cudaGraphicsResource_t *resourcesOf(CUgraphicsResource *handles) {
  return reinterpret_cast<cudaGraphicsResource_t *>(handles);
}

CUresult cuGraphicsMapResources(unsigned count, CUgraphicsResource *resources,
                                CUstream stream) try {
  return through([&] {
    return cudaGraphicsMapResources(static_cast<int>(count), resourcesOf(resources),
                                    stream);
  });
}
HET_CATCH

CUresult cuGraphicsUnmapResources(unsigned count, CUgraphicsResource *resources,
                                  CUstream stream) try {
  return through([&] {
    return cudaGraphicsUnmapResources(static_cast<int>(count), resourcesOf(resources),
                                      stream);
  });
}
HET_CATCH

CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource) try {
  return through([&] { return cudaGraphicsUnregisterResource(resourceOf(resource)); });
}
HET_CATCH

CUresult cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource resource,
                                          unsigned flags) try {
  return through(
      [&] { return cudaGraphicsResourceSetMapFlags(resourceOf(resource), flags); });
}
HET_CATCH

CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *address, size_t *size,
                                               CUgraphicsResource resource) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    void *pointer = nullptr;
    cudaError_t error =
        cudaGraphicsResourceGetMappedPointer(&pointer, size, resourceOf(resource));
    if (!error)
      *address = addressOf(pointer);
    return error;
  });
}
HET_CATCH

CUresult cuGraphicsSubResourceGetMappedArray(CUarray *result, CUgraphicsResource resource,
                                             unsigned plane, unsigned level) try {
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    cudaArray_t array = nullptr;
    cudaError_t error =
        cudaGraphicsSubResourceGetMappedArray(&array, resourceOf(resource), plane, level);
    if (!error)
      *result = handleOf(array);
    return error;
  });
}
HET_CATCH

CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *result,
                                                   CUgraphicsResource resource) try {
  return through([&] {
    return cudaGraphicsResourceGetMappedMipmappedArray(
        reinterpret_cast<cudaMipmappedArray_t *>(result), resourceOf(resource));
  });
}
HET_CATCH

// OpenGL.

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, unsigned buffer,
                                    unsigned flags) try {
  return through(
      [&] { return cudaGraphicsGLRegisterBuffer(resourcesOf(resource), buffer, flags); });
}
HET_CATCH

CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, unsigned image,
                                   unsigned target, unsigned flags) try {
  return through([&] {
    return cudaGraphicsGLRegisterImage(resourcesOf(resource), image, target, flags);
  });
}
HET_CATCH

CUresult cuGLGetDevices_v2(unsigned *count, CUdevice *devices, unsigned room,
                           CUGLDeviceList list) try {
  return whenStarted([&] {
    return cudaGLGetDevices(count, devices, room, static_cast<cudaGLDeviceList>(list));
  });
}
HET_CATCH

/// Contexts need nothing to share with OpenGL.
CUresult cuGLCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) try {
  const CUresult error = cuGLInit();
  return error ? error : cuCtxCreate(context, flags, device);
}
HET_CATCH

/// Only asks whether there is a context of OpenGL.
CUresult cuGLInit() try {
  unsigned count = 0;
  CUdevice device = 0;
  return cuGLGetDevices(&count, &device, 1, CU_GL_DEVICE_LIST_ALL);
}
HET_CATCH

CUresult cuGLRegisterBufferObject(unsigned buffer) try {
  return through([&] { return cudaGLRegisterBufferObject(buffer); });
}
HET_CATCH

CUresult cuGLUnregisterBufferObject(unsigned buffer) try {
  return through([&] { return cudaGLUnregisterBufferObject(buffer); });
}
HET_CATCH

CUresult cuGLSetBufferObjectMapFlags(unsigned buffer, unsigned flags) try {
  return through([&] { return cudaGLSetBufferObjectMapFlags(buffer, flags); });
}
HET_CATCH

CUresult cuGLMapBufferObjectAsync_v2(CUdeviceptr *address, size_t *size, unsigned buffer,
                                     CUstream stream) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    void *pointer = nullptr;
    cudaError_t error = cudaGLMapBufferObjectAsync(&pointer, buffer, stream);
    if (error)
      return error;
    *address = addressOf(pointer);
    if (size)
      *size = findMemory(pointer).size;
    return cudaSuccess;
  });
}
HET_CATCH

CUresult cuGLMapBufferObject_v2(CUdeviceptr *address, size_t *size, unsigned buffer) {
  return cuGLMapBufferObjectAsync(address, size, buffer, nullptr);
}

CUresult cuGLUnmapBufferObjectAsync(unsigned buffer, CUstream stream) try {
  return through([&] { return cudaGLUnmapBufferObjectAsync(buffer, stream); });
}
HET_CATCH

CUresult cuGLUnmapBufferObject(unsigned buffer) {
  return cuGLUnmapBufferObjectAsync(buffer, nullptr);
}
