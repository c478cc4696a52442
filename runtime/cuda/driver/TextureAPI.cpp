// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's texture and surface objects and mipmapped arrays: the runtime API's,
// with formats and flags in the driver's words.

#include "Driver.h"

#include "../Arrays.h"

#include <algorithm>

using namespace het::cuda;
using namespace het::cuda::driver;

void driver::setFlags(cudaTextureDesc &texture, unsigned flags) {
  texture.readMode = flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType
                                                     : cudaReadModeNormalizedFloat;
  texture.normalizedCoords = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  texture.sRGB = (flags & CU_TRSF_SRGB) != 0;
  texture.disableTrilinearOptimization =
      (flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  texture.seamlessCubemap = (flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
}

namespace {

cudaMipmappedArray_t mipmapOf(CUmipmappedArray handle) {
  return reinterpret_cast<cudaMipmappedArray_t>(handle);
}

/// False if the format is none that a texture can have.
bool convert(const CUDA_RESOURCE_DESC &from, cudaResourceDesc &to) {
  to.resType = static_cast<cudaResourceType>(from.resType);
  switch (from.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to.res.array.array = arrayOf(from.res.array.hArray);
    return !from.flags;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to.res.mipmap.mipmap = mipmapOf(from.res.mipmap.hMipmappedArray);
    return !from.flags;
  case CU_RESOURCE_TYPE_LINEAR:
    to.res.linear.devPtr = pointerOf(from.res.linear.devPtr);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    return !from.flags && toRuntime(from.res.linear.format, from.res.linear.numChannels,
                                    to.res.linear.desc);
  case CU_RESOURCE_TYPE_PITCH2D:
    to.res.pitch2D.devPtr = pointerOf(from.res.pitch2D.devPtr);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    return !from.flags && toRuntime(from.res.pitch2D.format, from.res.pitch2D.numChannels,
                                    to.res.pitch2D.desc);
  }
  return false;
}

cudaTextureDesc convert(const CUDA_TEXTURE_DESC &from) {
  cudaTextureDesc to = {};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = static_cast<cudaTextureAddressMode>(from.addressMode[i]);
  std::copy_n(from.borderColor, 4, to.borderColor);
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  driver::setFlags(to, from.flags);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

CUDA_TEXTURE_DESC convert(const cudaTextureDesc &from) {
  CUDA_TEXTURE_DESC to = {};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
  std::copy_n(from.borderColor, 4, to.borderColor);
  to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  const auto flag = [](bool isSet, int value) {
    return isSet ? static_cast<unsigned>(value) : 0;
  };
  to.flags =
      flag(from.readMode == cudaReadModeElementType, CU_TRSF_READ_AS_INTEGER) |
      flag(from.normalizedCoords, CU_TRSF_NORMALIZED_COORDINATES) |
      flag(from.sRGB, CU_TRSF_SRGB) |
      flag(from.disableTrilinearOptimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) |
      flag(from.seamlessCubemap, CU_TRSF_SEAMLESS_CUBEMAP);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

CUDA_RESOURCE_DESC convert(const cudaResourceDesc &from) {
  CUDA_RESOURCE_DESC to = {};
  to.resType = static_cast<CUresourcetype>(from.resType);
  switch (from.resType) {
  case cudaResourceTypeArray:
    to.res.array.hArray = handleOf(from.res.array.array);
    break;
  case cudaResourceTypeMipmappedArray:
    to.res.mipmap.hMipmappedArray =
        reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
    break;
  case cudaResourceTypeLinear:
    to.res.linear.devPtr = addressOf(from.res.linear.devPtr);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    toDriver(from.res.linear.desc, to.res.linear.format, to.res.linear.numChannels);
    break;
  case cudaResourceTypePitch2D:
    to.res.pitch2D.devPtr = addressOf(from.res.pitch2D.devPtr);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    toDriver(from.res.pitch2D.desc, to.res.pitch2D.format, to.res.pitch2D.numChannels);
    break;
  }
  return to;
}

/// The two differ in their reserved fields.
template <typename To, typename From> To convertView(const From &from) {
  To to = {};
  to.format = static_cast<decltype(to.format)>(from.format);
  to.width = from.width;
  to.height = from.height;
  to.depth = from.depth;
  to.firstMipmapLevel = from.firstMipmapLevel;
  to.lastMipmapLevel = from.lastMipmapLevel;
  to.firstLayer = from.firstLayer;
  to.lastLayer = from.lastLayer;
  return to;
}

/// Asks the runtime API, and hands out its answer in the driver's words.
template <typename Part, typename Result, typename Ask, typename Convert>
CUresult tell(Result *result, unsigned long long object, Ask ask, Convert convert) {
  return through([&] {
    Part part;
    cudaError_t error = result ? ask(&part, object) : cudaErrorInvalidValue;
    if (!error)
      *result = convert(part);
    return error;
  });
}

} // namespace

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view) try {
  cudaResourceDesc from = {};
  if (!object || !resource || !texture || !convert(*resource, from))
    return CUDA_ERROR_INVALID_VALUE;
  const cudaTextureDesc how = convert(*texture);
  const auto part =
      view ? convertView<cudaResourceViewDesc>(*view) : cudaResourceViewDesc();
  return through([&] {
    return cudaCreateTextureObject(object, &from, &how, view ? &part : nullptr);
  });
}
HET_CATCH

CUresult cuTexObjectDestroy(CUtexObject object) try {
  return through([&] { return cudaDestroyTextureObject(object); });
}
HET_CATCH

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *result, CUtexObject object) try {
  return tell<cudaResourceDesc>(result, object, cudaGetTextureObjectResourceDesc,
                                [](const auto &part) { return ::convert(part); });
}
HET_CATCH

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *result, CUtexObject object) try {
  return tell<cudaTextureDesc>(result, object, cudaGetTextureObjectTextureDesc,
                               [](const auto &part) { return ::convert(part); });
}
HET_CATCH

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *result,
                                        CUtexObject object) try {
  return tell<cudaResourceViewDesc>(
      result, object, cudaGetTextureObjectResourceViewDesc,
      [](const auto &part) { return convertView<CUDA_RESOURCE_VIEW_DESC>(part); });
}
HET_CATCH

CUresult cuSurfObjectCreate(CUsurfObject *object,
                            const CUDA_RESOURCE_DESC *resource) try {
  cudaResourceDesc from = {};
  if (!object || !resource || !convert(*resource, from))
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] { return cudaCreateSurfaceObject(object, &from); });
}
HET_CATCH

CUresult cuSurfObjectDestroy(CUsurfObject object) try {
  return through([&] { return cudaDestroySurfaceObject(object); });
}
HET_CATCH

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *result,
                                     CUsurfObject object) try {
  return tell<cudaResourceDesc>(result, object, cudaGetSurfaceObjectResourceDesc,
                                [](const auto &part) { return ::convert(part); });
}
HET_CATCH

CUresult cuMipmappedArrayCreate(CUmipmappedArray *result,
                                const CUDA_ARRAY3D_DESCRIPTOR *wanted,
                                unsigned levels) try {
  cudaChannelFormatDesc format = {};
  if (!result || !wanted || !toRuntime(wanted->Format, wanted->NumChannels, format))
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    return cudaMallocMipmappedArray(
        reinterpret_cast<cudaMipmappedArray_t *>(result), &format,
        {wanted->Width, wanted->Height, wanted->Depth}, levels, wanted->Flags);
  });
}
HET_CATCH

CUresult cuMipmappedArrayGetLevel(CUarray *result, CUmipmappedArray mipmap,
                                  unsigned level) try {
  return through([&] {
    return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t *>(result),
                                      mipmapOf(mipmap), level);
  });
}
HET_CATCH

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap) try {
  if (!mipmap)
    return CUDA_ERROR_INVALID_HANDLE;
  return through([&] { return cudaFreeMipmappedArray(mipmapOf(mipmap)); });
}
HET_CATCH

CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *result,
                                               CUmipmappedArray mipmap,
                                               CUdevice device) try {
  return through([&] {
    return cudaMipmappedArrayGetMemoryRequirements(
        reinterpret_cast<cudaArrayMemoryRequirements *>(result), mipmapOf(mipmap),
        device);
  });
}
HET_CATCH

CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *result,
                                             CUmipmappedArray mipmap) try {
  return through([&] {
    return cudaMipmappedArrayGetSparseProperties(
        reinterpret_cast<cudaArraySparseProperties *>(result), mipmapOf(mipmap));
  });
}
HET_CATCH
