// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's copies of boxes: 2D and 3D, between memory and arrays.

#include "Driver.h"

#include "../Arrays.h"
#include "../Copy.h"

using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

/// One side of a copy, in the words that 2D, 3D and peer copies share.
struct Side {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t pitch, height; ///< Of memory.
  size_t x, y, z, level;
};

/// Whether the box of bytes lies in the array.
bool holds(const cudaArray &array, const Side &side, const cudaExtent &extent) {
  const auto inside = [](size_t begin, size_t length, size_t whole) {
    return begin <= whole && length <= whole - begin;
  };
  return inside(side.x, extent.width, array.extent.width * array.elementSize) &&
         inside(side.y, extent.height, array.rows()) &&
         inside(side.z, extent.depth, array.planes());
}

cudaError_t find(const Side &side, const cudaExtent &extent, Region &region) {
  if (side.level)
    return cudaErrorInvalidValue;
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    if (!side.array || !holds(*arrayOf(side.array), side, extent))
      return cudaErrorInvalidValue;
    if (!arrayOf(side.array)->isAlive())
      return cudaErrorContextIsDestroyed;
    region = arrayOf(side.array)->at(side.x, side.y, side.z);
    return cudaSuccess;
  }
  if (side.type != CU_MEMORYTYPE_HOST && side.type != CU_MEMORYTYPE_DEVICE &&
      side.type != CU_MEMORYTYPE_UNIFIED)
    return cudaErrorInvalidValue;
  void *base = side.type == CU_MEMORYTYPE_HOST ? const_cast<void *>(side.host)
                                               : pointerOf(side.device);
  region = {static_cast<char *>(base), side.pitch, planeOf(side.pitch, side.height)};
  const bool isEmpty = !extent.width || !extent.height || !extent.depth;
  return isEmpty || advance(region, side.x, side.y, side.z) ? cudaSuccess
                                                            : cudaErrorInvalidValue;
}

/// The direction; what a unified side is follows from its address.
cudaMemcpyKind kindOf(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  const bool fromHost = from == CU_MEMORYTYPE_HOST;
  if (to == CU_MEMORYTYPE_HOST)
    return fromHost ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return fromHost ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

cudaError_t makeBox(const Side &to, const Side &from, const cudaExtent &extent,
                    CopyOperation &copy) {
  Region target, source;
  if (cudaError_t error = find(to, extent, target))
    return error;
  if (cudaError_t error = find(from, extent, source))
    return error;
  if (cudaError_t error =
          makeCopy2D(target, source, extent.width, extent.height * (extent.depth ? 1 : 0),
                     kindOf(to.type, from.type), copy))
    return error;
  copy.depth = extent.depth;
  return checkCopy(copy);
}

Side sourceOf(const CUDA_MEMCPY2D &params) {
  return {params.srcMemoryType,
          params.srcHost,
          params.srcDevice,
          params.srcArray,
          params.srcPitch,
          0,
          params.srcXInBytes,
          params.srcY,
          0,
          0};
}

Side targetOf(const CUDA_MEMCPY2D &params) {
  return {params.dstMemoryType,
          params.dstHost,
          params.dstDevice,
          params.dstArray,
          params.dstPitch,
          0,
          params.dstXInBytes,
          params.dstY,
          0,
          0};
}

/// Of CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER.
template <typename Params> Side sourceOfBox(const Params &params) {
  return {params.srcMemoryType, params.srcHost,   params.srcDevice,   params.srcArray,
          params.srcPitch,      params.srcHeight, params.srcXInBytes, params.srcY,
          params.srcZ,          params.srcLOD};
}

template <typename Params> Side targetOfBox(const Params &params) {
  return {params.dstMemoryType, params.dstHost,   params.dstDevice,   params.dstArray,
          params.dstPitch,      params.dstHeight, params.dstXInBytes, params.dstY,
          params.dstZ,          params.dstLOD};
}

CUresult copy2D(const CUDA_MEMCPY2D *params, CUstream stream, Wait wait) {
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    CopyOperation copy;
    cudaError_t error = makeBox(targetOf(*params), sourceOf(*params),
                                {params->WidthInBytes, params->Height, 1}, copy);
    return error ? error : submitCopy(stream, copy, wait);
  });
}

template <typename Params>
CUresult copy3D(const Params *params, CUstream stream, Wait wait) {
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    CopyOperation copy;
    cudaError_t error =
        makeBox(targetOfBox(*params), sourceOfBox(*params),
                {params->WidthInBytes, params->Height, params->Depth}, copy);
    return error ? error : submitCopy(stream, copy, wait);
  });
}

} // namespace

cudaError_t driver::makeBox(const CUDA_MEMCPY3D *params, CopyOperation &copy) {
  return params ? ::makeBox(targetOfBox(*params), sourceOfBox(*params),
                            {params->WidthInBytes, params->Height, params->Depth}, copy)
                : cudaErrorInvalidValue;
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *params) try {
  return copy2D(params, nullptr, Wait::Yes);
}
HET_CATCH

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *params) try {
  return copy2D(params, nullptr, Wait::Yes);
}
HET_CATCH

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *params, CUstream stream) try {
  return copy2D(params, stream, Wait::No);
}
HET_CATCH

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *params) try {
  return copy3D(params, nullptr, Wait::Yes);
}
HET_CATCH

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *params, CUstream stream) try {
  return copy3D(params, stream, Wait::No);
}
HET_CATCH

// The device of an address follows from it, so contexts say nothing new.

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *params) try {
  return copy3D(params, nullptr, Wait::Yes);
}
HET_CATCH

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *params, CUstream stream) try {
  return copy3D(params, stream, Wait::No);
}
HET_CATCH
