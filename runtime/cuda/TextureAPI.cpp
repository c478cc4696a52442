// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects. No kernel can sample one yet (the compiler says
// so), so making one is refused here too, after its arguments were checked.

#include "Arrays.h"
#include "Context.h"
#include "Errors.h"

#include <algorithm>

using namespace het::cuda;

static bool valid(const cudaResourceDesc *resource) {
  if (!resource)
    return false;
  switch (resource->resType) {
  case cudaResourceTypeArray:
    return resource->res.array.array != nullptr;
  case cudaResourceTypeMipmappedArray:
    return resource->res.mipmap.mipmap != nullptr;
  case cudaResourceTypeLinear:
    return resource->res.linear.devPtr && resource->res.linear.sizeInBytes;
  case cudaResourceTypePitch2D:
    return resource->res.pitch2D.devPtr && resource->res.pitch2D.width &&
           resource->res.pitch2D.height && resource->res.pitch2D.pitchInBytes;
  }
  return false;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const cudaResourceViewDesc *) try {
  if (!object || !texture || !valid(resource))
    return remember(cudaErrorInvalidValue);
  *object = 0;
  HET_NOT_SUPPORTED("cudaCreateTextureObject");
}
HET_CATCH

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const cudaResourceDesc *resource) try {
  if (!object || !valid(resource) || resource->resType != cudaResourceTypeArray)
    return remember(cudaErrorInvalidValue);
  *object = 0;
  HET_NOT_SUPPORTED("cudaCreateSurfaceObject");
}
HET_CATCH

// There are no objects, so all that can be destroyed is the null object.

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) try {
  return remember(object ? cudaErrorInvalidValue : cudaSuccess);
}
HET_CATCH

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) try {
  return remember(object ? cudaErrorInvalidValue : cudaSuccess);
}
HET_CATCH

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                 const cudaChannelFormatDesc *format,
                                                 int device) try {
  if (!elements || !format)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  const int bits = format->x + format->y + format->z + format->w;
  if (bits < 8)
    return remember(cudaErrorInvalidChannelDescriptor);
  // All of them reach what CUDA's tables give the linear textures of one element size.
  const auto most = static_cast<size_t>(deviceAt(device)->properties.maxTexture1DLinear);
  *elements = most / std::max<size_t>(1, size_t(bits) / 32);
  return cudaSuccess;
}
HET_CATCH
