// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checking copies and fills, staging what the caller may reuse, and cutting
// boxes into the contiguous pieces that a queue understands.

#include "Copy.h"
#include "Arrays.h"
#include "Memory.h"
#include "Stream.h"

#include <algorithm>
#include <cstring>

namespace het::cuda {

/// The largest copy from pageable memory that is staged; beyond it the caller
/// waits, which costs less than a second copy.
static constexpr size_t largestStaged = 64 << 10;

/// `total` grows by a product. False, and it has no meaning, if that overflows.
static bool addProduct(size_t a, size_t b, size_t &total) {
  size_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) &&
         !__builtin_add_overflow(total, product, &total);
}

/// Bytes from the first to the last byte of a box that is not empty. False if rows or
/// planes overlap, or it does not end within all addresses.
static bool findExtent(const Region &region, size_t width, size_t height, size_t depth,
                       size_t &extent) {
  size_t plane = width, end = 0;
  if ((height > 1 && region.pitch < width) ||
      !addProduct(height - 1, region.pitch, plane) || (depth > 1 && region.plane < plane))
    return false;
  extent = plane;
  return addProduct(depth - 1, region.plane, extent) &&
         !__builtin_add_overflow(reinterpret_cast<uintptr_t>(region.base), extent, &end);
}

bool advance(Region &region, size_t byte, size_t row, size_t plane) {
  auto address = reinterpret_cast<uintptr_t>(region.base);
  if (!addProduct(plane, region.plane, address) ||
      !addProduct(row, region.pitch, address) || !addProduct(1, byte, address))
    return false;
  const MemoryRange range = findMemory(region.base);
  const auto begin = reinterpret_cast<uintptr_t>(range.base);
  region.base = reinterpret_cast<char *>(address);
  return range.kind == MemoryKind::Unknown || address - begin < range.size;
}

size_t planeOf(size_t pitch, size_t rows) {
  size_t plane = 0;
  return __builtin_mul_overflow(pitch, rows, &plane) ? SIZE_MAX : plane;
}

bool isEmpty(const CopyOperation &copy) {
  return copy.width == 0 || copy.height == 0 || copy.depth == 0;
}

bool isEmpty(const FillOperation &fill) {
  return fill.width == 0 || fill.height == 0 || fill.depth == 0;
}

/// One side of a copy: not null, and wholly inside one allocation if it lies in
/// one; `onDevice` asks that it does.
static bool validSide(const char *base, size_t extent, bool onDevice) {
  if (!base)
    return false;
  MemoryRange range = findMemory(base);
  if (range.kind == MemoryKind::Unknown)
    return !onDevice;
  return extent <= range.size - static_cast<size_t>(base - range.base);
}

cudaError_t checkCopy(const CopyOperation &copy) {
  if (isEmpty(copy))
    return cudaSuccess;
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  bool toDevice =
      copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
  bool fromDevice =
      copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
  size_t toExtent = 0, fromExtent = 0;
  if (!findExtent(copy.to, copy.width, copy.height, copy.depth, toExtent) ||
      !findExtent(copy.from, copy.width, copy.height, copy.depth, fromExtent) ||
      !validSide(copy.to.base, toExtent, toDevice) ||
      !validSide(copy.from.base, fromExtent, fromDevice))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t checkFill(const FillOperation &fill) {
  if (isEmpty(fill))
    return cudaSuccess;
  size_t row = 0, extent = 0;
  if (__builtin_mul_overflow(fill.width, size_t(fill.elementSize), &row) ||
      (fill.height > 1 && fill.to.pitch < row) ||
      !findExtent(fill.to, row, fill.height, fill.depth, extent) ||
      !validSide(fill.to.base, extent, true))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t makeCopy(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                     CopyOperation &copy) {
  copy.to = {static_cast<char *>(to), size, size};
  copy.from = {static_cast<char *>(const_cast<void *>(from)), size, size};
  copy.width = size;
  copy.kind = kind;
  return checkCopy(copy);
}

/// The pitches of rows that are not empty. One row alone may have the pitch 0.
static cudaError_t checkPitches(const Region &to, const Region &from, size_t width,
                                bool isOneRow) {
  const auto isShort = [&](size_t pitch) {
    return pitch < width && !(isOneRow && pitch == 0);
  };
  if (isShort(to.pitch) || isShort(from.pitch))
    return isOneRow ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
  return cudaSuccess;
}

cudaError_t makeCopy2D(Region to, Region from, size_t width, size_t height,
                       cudaMemcpyKind kind, CopyOperation &copy) {
  if (width && height) {
    if (std::max(to.pitch, from.pitch) > maxPitch)
      return cudaErrorInvalidPitchValue;
    if (cudaError_t error = checkPitches(to, from, width, height == 1))
      return error;
  }
  copy.to = to;
  copy.from = from;
  copy.width = width;
  copy.height = height;
  copy.kind = kind;
  return checkCopy(copy);
}

/// Whether a part of `length` lies in a whole.
static bool inside(size_t begin, size_t length, size_t whole) {
  return begin <= whole && length <= whole - begin;
}

/// The box must lie inside the array.
static bool insideArray(const cudaArray &array, const cudaPos &position,
                        const cudaExtent &extent) {
  return inside(position.x, extent.width, array.extent.width) &&
         inside(position.y, extent.height, array.rows()) &&
         inside(position.z, extent.depth, array.planes());
}

/// One side of a 3D copy: an array or pitched memory, but not both. `element`
/// becomes the array's element size, or stays.
static cudaError_t side3D(cudaArray_t array, const cudaPitchedPtr &pointer,
                          const cudaPos &position, const cudaExtent &extent,
                          Region &region, size_t &element) {
  if (!array == !pointer.ptr)
    return cudaErrorInvalidValue;
  if (array) {
    if (!array->isAlive())
      return cudaErrorContextIsDestroyed;
    if (!insideArray(*array, position, extent))
      return cudaErrorInvalidValue;
    element = array->elementSize;
    region = array->at(position.x * element, position.y, position.z);
    return cudaSuccess;
  }
  region = {static_cast<char *>(pointer.ptr), pointer.pitch,
            planeOf(pointer.pitch, pointer.ysize)};
  const bool isEmpty = !extent.width || !extent.height || !extent.depth;
  return isEmpty || advance(region, position.x, position.y, position.z)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

cudaError_t makeCopy3D(const cudaMemcpy3DParms *params, CopyOperation &copy) {
  if (!params)
    return cudaErrorInvalidValue;
  size_t element = 1;
  if (cudaError_t error = side3D(params->dstArray, params->dstPtr, params->dstPos,
                                 params->extent, copy.to, element))
    return error;
  if (cudaError_t error = side3D(params->srcArray, params->srcPtr, params->srcPos,
                                 params->extent, copy.from, element))
    return error;
  copy.width = params->extent.width * element;
  copy.height = params->extent.height;
  copy.depth = params->extent.depth;
  copy.kind = params->kind;
  if (!isEmpty(copy)) {
    const bool isOneRow = copy.height == 1 && copy.depth == 1;
    if (!isOneRow && std::max(copy.to.pitch, copy.from.pitch) > maxPitch)
      return cudaErrorInvalidPitchValue;
    if (cudaError_t error = checkPitches(copy.to, copy.from, copy.width, isOneRow))
      return error;
  }
  return checkCopy(copy);
}

void mergeRows(CopyOperation &copy) {
  if (copy.to.pitch == copy.width && copy.from.pitch == copy.width) {
    copy.width *= copy.height;
    copy.height = 1;
  }
  if (copy.height == 1 && copy.to.plane == copy.width && copy.from.plane == copy.width) {
    copy.width *= copy.depth;
    copy.depth = 1;
  }
}

void mergeRows(FillOperation &fill) {
  if (fill.to.pitch == fill.width * fill.elementSize) {
    fill.width *= fill.height;
    fill.height = 1;
  }
  if (fill.height == 1 && fill.to.plane == fill.width * fill.elementSize) {
    fill.width *= fill.depth;
    fill.depth = 1;
  }
}

cudaError_t runCopy(CUstream_st &stream, CopyOperation copy) {
  if (isEmpty(copy))
    return cudaSuccess;
  mergeRows(copy);
  for (size_t z = 0; z < copy.depth; ++z) {
    char *to = copy.to.base + z * copy.to.plane;
    const char *from = copy.from.base + z * copy.from.plane;
    cudaError_t error = copy.height == 1
                            ? stream.copy(to, from, copy.width)
                            : stream.copyRows(to, copy.to.pitch, from, copy.from.pitch,
                                              copy.width, copy.height);
    if (error)
      return error;
  }
  return cudaSuccess;
}

cudaError_t runFill(CUstream_st &stream, FillOperation fill) {
  if (isEmpty(fill))
    return cudaSuccess;
  mergeRows(fill);
  for (size_t z = 0; z < fill.depth; ++z)
    for (size_t y = 0; y < fill.height; ++y)
      if (cudaError_t error =
              stream.fill(fill.to.base + z * fill.to.plane + y * fill.to.pitch,
                          fill.value, fill.elementSize, fill.width))
        return error;
  return cudaSuccess;
}

static bool pageable(const char *address) {
  return findMemory(address).kind == MemoryKind::Unknown;
}

static void freeStaged(void *memory) { ::operator delete(memory); }

/// Copies the source aside at once, so that the caller may reuse it.
static cudaError_t runStaged(CUstream_st &stream, const CopyOperation &copy) {
  char *staged =
      static_cast<char *>(::operator new(copy.width * copy.height * copy.depth));
  CopyOperation rest = copy;
  rest.from = {staged, copy.width, copy.width * copy.height};
  for (size_t z = 0; z < copy.depth; ++z)
    for (size_t y = 0; y < copy.height; ++y)
      std::memcpy(staged + z * rest.from.plane + y * rest.from.pitch,
                  copy.from.base + z * copy.from.plane + y * copy.from.pitch, copy.width);
  cudaError_t error = runCopy(stream, rest);
  cudaError_t freeing = stream.cleanUp(freeStaged, staged);
  return error ? error : freeing;
}

cudaError_t submitCopy(cudaStream_t handle, const CopyOperation &copy, Wait wait) {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t error = stream->admit())
    return error;
  if (stream->capturing.load(std::memory_order_acquire))
    return wait == Wait::Yes ? refuseIfCapturing(stream) : capture(stream, copy);
  if (isEmpty(copy))
    return cudaSuccess;
  size_t bytes = copy.width * copy.height * copy.depth;
  if (wait == Wait::No && bytes <= largestStaged && pageable(copy.from.base) &&
      !pageable(copy.to.base))
    return runStaged(*stream, copy);
  if (cudaError_t error = runCopy(*stream, copy))
    return error;
  if (wait == Wait::Yes || pageable(copy.from.base) || pageable(copy.to.base))
    return stream->synchronize();
  return cudaSuccess;
}

cudaError_t submitFill(cudaStream_t handle, const FillOperation &fill, Wait wait) {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t error = stream->admit())
    return error;
  if (stream->capturing.load(std::memory_order_acquire))
    return capture(stream, fill);
  cudaError_t error = runFill(*stream, fill);
  if (!error && wait == Wait::Yes && !isEmpty(fill))
    return stream->synchronize();
  return error;
}

} // namespace het::cuda
