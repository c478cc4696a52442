// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays: questions, and copies from and to them.

#include "Arrays.h"
#include "Context.h"
#include "Copy.h"
#include "Errors.h"

using namespace het::cuda;

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent,
                             unsigned *flags, cudaArray_t array) try {
  if (!array)
    return remember(cudaErrorInvalidResourceHandle);
  if (format)
    *format = array->format;
  if (extent)
    *extent = array->extent;
  if (flags)
    *flags = array->flags;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format,
                               cudaArray_const_t array) try {
  if (!format || !array)
    return remember(cudaErrorInvalidValue);
  *format = array->format;
  return cudaSuccess;
}
HET_CATCH

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

/// The part of an array from (byte, row) on, after checking that `width` bytes
/// of `height` rows lie inside.
static cudaError_t part(cudaArray_const_t array, size_t byte, size_t row, size_t width,
                        size_t height, Region &region) {
  if (!array)
    return cudaErrorInvalidValue;
  if (!array->isAlive())
    return cudaErrorContextIsDestroyed;
  size_t length = array->extent.width * array->elementSize;
  if (byte > length || width > length - byte || row > array->rows() ||
      height > array->rows() - row)
    return cudaErrorInvalidValue;
  region = array->at(byte, row, 0);
  return cudaSuccess;
}

static Region pitched(const void *base, size_t pitch) {
  return {static_cast<char *>(const_cast<void *>(base)), pitch, 0};
}

static cudaError_t make2DTo(cudaArray_t to, size_t byte, size_t row, const void *from,
                            size_t pitch, size_t width, size_t height,
                            cudaMemcpyKind kind, CopyOperation &copy) {
  Region target;
  if (cudaError_t error = part(to, byte, row, width, height, target))
    return error;
  return makeCopy2D(target, pitched(from, pitch), width, height, kind, copy);
}

static cudaError_t make2DFrom(void *to, size_t pitch, cudaArray_const_t from, size_t byte,
                              size_t row, size_t width, size_t height,
                              cudaMemcpyKind kind, CopyOperation &copy) {
  Region source;
  if (cudaError_t error = part(from, byte, row, width, height, source))
    return error;
  return makeCopy2D(pitched(to, pitch), source, width, height, kind, copy);
}

static cudaError_t finish(cudaError_t made, const CopyOperation &copy,
                          cudaStream_t stream, Wait wait) {
  return remember(made ? made : submitCopy(stream, copy, wait));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t byte, size_t row, const void *from,
                                size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) try {
  CopyOperation copy;
  cudaError_t made = make2DTo(to, byte, row, from, pitch, width, height, kind, copy);
  return finish(made, copy, nullptr, Wait::Yes);
}
HET_CATCH

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t byte, size_t row,
                                     const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = make2DTo(to, byte, row, from, pitch, width, height, kind, copy);
  return finish(made, copy, stream, Wait::No);
}
HET_CATCH

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from,
                                  size_t byte, size_t row, size_t width, size_t height,
                                  cudaMemcpyKind kind) try {
  CopyOperation copy;
  cudaError_t made = make2DFrom(to, pitch, from, byte, row, width, height, kind, copy);
  return finish(made, copy, nullptr, Wait::Yes);
}
HET_CATCH

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
                                       size_t byte, size_t row, size_t width,
                                       size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) try {
  CopyOperation copy;
  cudaError_t made = make2DFrom(to, pitch, from, byte, row, width, height, kind, copy);
  return finish(made, copy, stream, Wait::No);
}
HET_CATCH

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toByte, size_t toRow,
                                     cudaArray_const_t from, size_t fromByte,
                                     size_t fromRow, size_t width, size_t height,
                                     cudaMemcpyKind kind) try {
  Region target, source;
  CopyOperation copy;
  cudaError_t made = part(to, toByte, toRow, width, height, target);
  if (!made)
    made = part(from, fromByte, fromRow, width, height, source);
  if (!made)
    made = makeCopy2D(target, source, width, height, kind, copy);
  return finish(made, copy, nullptr, Wait::Yes);
}
HET_CATCH

/// The old linear copies run on from row to row of the array. `each` copies
/// `length` bytes at (byte, row), which are `done` bytes into the linear side.
template <typename Each>
static cudaError_t alongRows(cudaArray_const_t array, size_t byte, size_t row,
                             size_t size, Each each) {
  if (!array)
    return cudaErrorInvalidValue;
  size_t length = array->extent.width * array->elementSize;
  if (byte >= length || row >= array->rows() ||
      size > (array->rows() - row) * length - byte)
    return cudaErrorInvalidValue;
  for (size_t done = 0; done < size; byte = 0, ++row) {
    size_t piece = size - done < length - byte ? size - done : length - byte;
    if (cudaError_t error = each(byte, row, done, piece))
      return error;
    done += piece;
  }
  return cudaSuccess;
}

static cudaError_t linearTo(cudaArray_t to, size_t byte, size_t row, const void *from,
                            size_t size, cudaMemcpyKind kind, cudaStream_t stream,
                            Wait wait) {
  return alongRows(
      to, byte, row, size, [&](size_t x, size_t y, size_t done, size_t piece) {
        CopyOperation copy;
        cudaError_t made = make2DTo(to, x, y, static_cast<const char *>(from) + done,
                                    piece, piece, 1, kind, copy);
        return made ? made : submitCopy(stream, copy, wait);
      });
}

static cudaError_t linearFrom(void *to, cudaArray_const_t from, size_t byte, size_t row,
                              size_t size, cudaMemcpyKind kind, cudaStream_t stream,
                              Wait wait) {
  return alongRows(from, byte, row, size,
                   [&](size_t x, size_t y, size_t done, size_t piece) {
                     CopyOperation copy;
                     cudaError_t made = make2DFrom(static_cast<char *>(to) + done, piece,
                                                   from, x, y, piece, 1, kind, copy);
                     return made ? made : submitCopy(stream, copy, wait);
                   });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t byte, size_t row, const void *from,
                              size_t size, cudaMemcpyKind kind) try {
  return remember(linearTo(to, byte, row, from, size, kind, nullptr, Wait::Yes));
}
HET_CATCH

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t byte, size_t row,
                                   const void *from, size_t size, cudaMemcpyKind kind,
                                   cudaStream_t stream) try {
  return remember(linearTo(to, byte, row, from, size, kind, stream, Wait::No));
}
HET_CATCH

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t byte, size_t row,
                                size_t size, cudaMemcpyKind kind) try {
  return remember(linearFrom(to, from, byte, row, size, kind, nullptr, Wait::Yes));
}
HET_CATCH

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t byte,
                                     size_t row, size_t size, cudaMemcpyKind kind,
                                     cudaStream_t stream) try {
  return remember(linearFrom(to, from, byte, row, size, kind, stream, Wait::No));
}
HET_CATCH

/// Both run on from row to row; each piece lies in one row of either.
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toByte, size_t toRow,
                                   cudaArray_const_t from, size_t fromByte,
                                   size_t fromRow, size_t size, cudaMemcpyKind kind) try {
  if (!from)
    return remember(cudaErrorInvalidValue);
  const size_t length = from->extent.width * from->elementSize;
  const auto copyPiece = [&](size_t x, size_t y, size_t done, size_t piece) {
    const size_t start = fromByte + done;
    return alongRows(from, start % length, fromRow + start / length, piece,
                     [&](size_t fromX, size_t fromY, size_t part, size_t bytes) {
                       return cudaMemcpy2DArrayToArray(to, x + part, y, from, fromX,
                                                       fromY, bytes, 1, kind);
                     });
  };
  return remember(alongRows(to, toByte, toRow, size, copyPiece));
}
HET_CATCH
