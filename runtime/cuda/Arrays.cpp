// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes and frees CUDA arrays, mipmapped or not.

#include "Arrays.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"

#include <algorithm>
#include <set>

namespace het::cuda {

namespace {

constexpr size_t rowAlignment = 512;

/// Whether none of the sizes is beyond its limit.
bool isWithin(const cudaExtent &extent, int width, int height, int depth) {
  return extent.width <= static_cast<size_t>(width) &&
         extent.height <= static_cast<size_t>(height) &&
         extent.depth <= static_cast<size_t>(depth);
}

/// The same for layers, faces of cubes among them.
bool isLayers(const cudaExtent &extent, unsigned flags, const cudaDeviceProp &p) {
  if (!(flags & cudaArrayCubemap)) {
    const int (&square)[3] = p.maxTexture2DLayered;
    return extent.height
               ? isWithin(extent, square[0], square[1], square[2])
               : isWithin(extent, p.maxTexture1DLayered[0], 0, p.maxTexture1DLayered[1]);
  }
  if (extent.width != extent.height || extent.depth % 6)
    return false;
  const int (&layered)[2] = p.maxTextureCubemapLayered;
  return flags & cudaArrayLayered
             ? isWithin(extent, layered[0], layered[0], layered[1])
             : extent.depth == 6 &&
                   isWithin(extent, p.maxTextureCubemap, p.maxTextureCubemap, 6);
}

/// Whether an array can have these dimensions: CUDA's table of them, with the device's
/// limits.
bool isShape(const cudaExtent &extent, unsigned flags, bool hasLevels,
             const cudaDeviceProp &p) {
  if (!extent.width)
    return false;
  if (flags & (cudaArrayLayered | cudaArrayCubemap))
    return extent.depth && isLayers(extent, flags, p);
  if (extent.depth) {
    const int (&body)[3] = p.maxTexture3D, (&other)[3] = p.maxTexture3DAlt;
    return extent.height && (isWithin(extent, body[0], body[1], body[2]) ||
                             isWithin(extent, other[0], other[1], other[2]));
  }
  if (!extent.height)
    return isWithin(extent,
                    flags & cudaArraySurfaceLoadStore ? p.maxSurface1D
                    : hasLevels                       ? p.maxTexture1DMipmap
                                                      : p.maxTexture1D,
                    0, 0);
  const int (&square)[2] = flags & cudaArrayTextureGather ? p.maxTexture2DGather
                           : hasLevels                    ? p.maxTexture2DMipmap
                                                          : p.maxTexture2D;
  return isWithin(extent, square[0], square[1], 0);
}

size_t halved(size_t size, unsigned times) {
  return size ? std::max<size_t>(size >> times, 1) : 0;
}

/// A level without memory.
std::unique_ptr<cudaArray> makeLevel(Device &device, const cudaChannelFormatDesc &format,
                                     const cudaExtent &extent, unsigned flags,
                                     unsigned level) {
  auto array = std::make_unique<cudaArray>(device);
  const bool hasLayers = flags & (cudaArrayLayered | cudaArrayCubemap);
  array->elementSize = elementSizeOf(format);
  array->format = format;
  array->extent = {halved(extent.width, level), halved(extent.height, level),
                   hasLayers ? extent.depth : halved(extent.depth, level)};
  array->flags = flags;
  const size_t row = array->extent.width * array->elementSize;
  array->region.pitch = (row + rowAlignment - 1) / rowAlignment * rowAlignment;
  array->region.plane = array->region.pitch * array->rows();
  return array;
}

} // namespace

size_t elementSizeOf(const cudaChannelFormatDesc &format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)
    return 0;
  size_t channels = 1;
  while (channels < 4 && bits[channels])
    ++channels;
  for (size_t index = 1; index < 4; ++index)
    if (bits[index] != (index < channels ? bits[0] : 0))
      return 0;
  if (channels == 3 || format.f < cudaChannelFormatKindSigned ||
      format.f > cudaChannelFormatKindFloat ||
      (format.f == cudaChannelFormatKindFloat && bits[0] == 8))
    return 0;
  return channels * static_cast<size_t>(bits[0]) / 8;
}

cudaError_t allocateLevels(const cudaChannelFormatDesc *format, cudaExtent extent,
                           unsigned flags, unsigned count,
                           std::vector<std::unique_ptr<cudaArray>> &levels) {
  if (!format)
    return cudaErrorInvalidValue;
  if (!elementSizeOf(*format))
    return cudaErrorInvalidChannelDescriptor;
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (!isShape(extent, flags, count > 1, device->properties))
    return cudaErrorInvalidValue;
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    HET_NOT_SUPPORTED("a sparse or deferred array");
  std::set<cudaArray_t> entries; // made before what they are for
  size_t size = 0;
  for (unsigned level = 0; level < count; ++level) {
    levels.push_back(makeLevel(*device, *format, extent, flags, level));
    entries.insert(levels.back().get());
    size += levels.back()->region.plane * levels.back()->planes();
  }
  void *memory = nullptr;
  if (cudaError_t error = allocate(*device, &memory, size))
    return error;
  char *base = static_cast<char *>(memory);
  for (const std::unique_ptr<cudaArray> &level : levels) {
    level->region.base = base;
    base += level->region.plane * level->planes();
  }
  std::lock_guard<std::mutex> lock(device->mutex);
  device->arrays.merge(entries);
  return cudaSuccess;
}

void forgetLevels(const std::vector<std::unique_ptr<cudaArray>> &levels) {
  if (levels.empty())
    return;
  Device &device = levels.front()->device;
  std::lock_guard<std::mutex> lock(device.mutex);
  for (const std::unique_ptr<cudaArray> &level : levels)
    device.arrays.erase(level.get());
}

cudaError_t freeLevels(const std::vector<std::unique_ptr<cudaArray>> &levels) {
  const cudaArray &first = *levels.front();
  const bool isAlive = first.isAlive();
  if (cudaError_t error = isAlive ? freeDevice(first.region.base) : beginCall())
    return error;
  forgetLevels(levels);
  return isAlive ? cudaSuccess : cudaErrorContextIsDestroyed;
}

} // namespace het::cuda

using namespace het::cuda;

static cudaError_t allocate(cudaArray_t *result, const cudaChannelFormatDesc *format,
                            cudaExtent extent, unsigned flags) {
  std::vector<std::unique_ptr<cudaArray>> levels;
  if (!result)
    return cudaErrorInvalidValue;
  cudaError_t error = allocateLevels(format, extent, flags, 1, levels);
  if (!error)
    *result = levels.front().release();
  return error;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags) try {
  return remember(allocate(array, format, {width, height, 0}, flags));
}
HET_CATCH

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned flags) try {
  return remember(allocate(array, format, extent, flags));
}
HET_CATCH

cudaError_t cudaFreeArray(cudaArray_t array) try {
  if (!array)
    return cudaSuccess;
  if (array->isLevel)
    return remember(cudaErrorInvalidResourceHandle);
  std::vector<std::unique_ptr<cudaArray>> levels;
  levels.emplace_back(array);
  const cudaError_t error = freeLevels(levels);
  if (error && error != cudaErrorContextIsDestroyed)
    (void)levels.front().release();
  return remember(error);
}
HET_CATCH

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *result,
                                     const cudaChannelFormatDesc *format,
                                     cudaExtent extent, unsigned count,
                                     unsigned flags) try {
  if (!result)
    return remember(cudaErrorInvalidValue);
  auto made = std::make_unique<cudaMipmappedArray>();
  const bool hasLayers = flags & (cudaArrayLayered | cudaArrayCubemap);
  const size_t longest =
      std::max({extent.width, extent.height, hasLayers ? 0 : extent.depth});
  unsigned most = 1; // the last level has one element
  while (longest >> most)
    ++most;
  count = std::clamp(count, 1u, most);
  if (cudaError_t error = allocateLevels(format, extent, flags, count, made->levels))
    return remember(error);
  for (const std::unique_ptr<cudaArray> &level : made->levels)
    level->isLevel = true;
  *result = made.release();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array,
                                       cudaMipmappedArray_const_t mipmap,
                                       unsigned level) try {
  if (!array || !mipmap || level >= mipmap->levels.size())
    return remember(cudaErrorInvalidValue);
  *array = mipmap->levels[level].get();
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap) try {
  if (!mipmap)
    return cudaSuccess;
  const cudaError_t error = freeLevels(mipmap->levels);
  if (!error || error == cudaErrorContextIsDestroyed)
    delete mipmap;
  return remember(error);
}
HET_CATCH

// No array here has planes, is sparse or waits for its memory.

cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned) try {
  return remember(!plane || array ? cudaErrorInvalidValue
                                  : cudaErrorInvalidResourceHandle);
}
HET_CATCH

cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *result,
                                           cudaArray_t array, int device) try {
  if (result && array && !validDevice(device))
    return remember(cudaErrorInvalidDevice);
  return remember(cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *, cudaArray_t) try {
  return remember(cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *result,
                                                    cudaMipmappedArray_t mipmap,
                                                    int device) try {
  if (result && mipmap && !validDevice(device))
    return remember(cudaErrorInvalidDevice);
  return remember(cudaErrorInvalidValue);
}
HET_CATCH

cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *,
                                                  cudaMipmappedArray_t) try {
  return remember(cudaErrorInvalidValue);
}
HET_CATCH
