// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions as kernels take them, memory, and steps that several functions share.

#include "Library.h"

#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <utility>

using namespace het;
using namespace het::sparse;

cudaError_t Kept::reserve(Index count) {
  if (count <= room)
    return cudaSuccess;
  const libs::RelaxedCapture relaxed;
  if (const cudaError_t error = cudaFree(place); error != cudaSuccess)
    return error;
  place = nullptr;
  room = 0;
  const cudaError_t error = cudaMalloc(reinterpret_cast<void **>(&place),
                                       static_cast<size_t>(count) * sizeof(Index));
  if (error == cudaSuccess)
    room = count;
  return error;
}

cudaDataType het::sparse::computeTypeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return CUDA_R_32F;
  case CUDA_C_16F:
  case CUDA_C_16BF:
    return CUDA_C_32F;
  default:
    return type;
  }
}

float het::sparse::widenedReal(const void *place, int number, cudaDataType type) {
  uint16_t bits;
  std::memcpy(&bits, static_cast<const char *>(place) + 2 * number, sizeof(bits));
  if (type == CUDA_R_16F || type == CUDA_C_16F)
    return __half2float(__ushort_as_half(bits));
  return __bfloat162float(__ushort_as_bfloat16(bits));
}

bool het::sparse::reads(cudaDataType compute, cudaDataType type) {
  const bool narrow = type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
  const bool narrowPair = type == CUDA_C_32F || type == CUDA_C_16F || type == CUDA_C_16BF;
  switch (compute) {
  case CUDA_R_32F:
    return narrow || type == CUDA_R_8I;
  case CUDA_R_64F:
    return narrow || type == CUDA_R_64F;
  case CUDA_C_32F:
    return narrow || narrowPair;
  case CUDA_C_64F:
    return narrow || narrowPair || type == CUDA_R_64F || type == CUDA_C_64F;
  case CUDA_R_32I:
    return type == CUDA_R_8I || type == CUDA_R_32I;
  default:
    return false;
  }
}
bool het::sparse::writes(cudaDataType compute, cudaDataType type) {
  const bool pair = type == CUDA_C_32F || type == CUDA_C_64F || type == CUDA_C_16F ||
                    type == CUDA_C_16BF;
  return compute == CUDA_R_32I
             ? type == CUDA_R_32I
             : reads(compute, type) && type != CUDA_R_8I &&
                   pair == (compute == CUDA_C_32F || compute == CUDA_C_64F);
}

size_t het::sparse::sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_C_64F:
    return 16;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_R_32F:
  case CUDA_R_32I:
  case CUDA_C_16F:
  case CUDA_C_16BF:
    return 4;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_8I:
    return 1;
  default:
    return 0; // none that the library knows
  }
}

Dense het::sparse::denseOf(const cusparseDnMatDescr &a) {
  const bool byRows = a.order == CUSPARSE_ORDER_ROW;
  return {{a.values, a.type},
          byRows ? a.leading : 1,
          byRows ? 1 : a.leading,
          a.batch > 1 ? a.batchStride : 0, // one is for all
          false};
}

void het::sparse::apply(cusparseOperation_t operation, Dense &a) {
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return;
  std::swap(a.rowStep, a.columnStep);
  a.conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

Sparse het::sparse::sparseOf(const cusparseSpMatDescr &m) {
  Sparse a;
  a.rows = m.rows;
  a.columns = m.cols;
  a.entries = m.nnz;
  a.base = m.base;
  a.offsets = indicesOf(m.offsets, m.offsetType);
  a.indices = indicesOf(m.indices, m.indexType);
  a.values = {m.values, m.type};
  a.batch = m.batch;
  if (m.batch > 1) { // one is for all
    a.offsetStride = m.offsetStride;
    a.indexStride = m.indexStride;
    a.valueStride = m.valueStride;
  }
  a.blockRows = m.blockRows;
  a.blockColumns = m.blockCols;
  a.blocksByColumns = m.blockOrder == CUSPARSE_ORDER_COL;
  switch (m.format) {
  case CUSPARSE_FORMAT_CSC:
    std::swap(a.rows, a.columns);
    break;
  case CUSPARSE_FORMAT_COO:
    a.layout = Layout::Triplets;
    a.rowIndices = a.offsets;
    a.offsets = {};
    break;
  case CUSPARSE_FORMAT_BSR:
    a.layout = Layout::Blocks;
    a.rows *= m.blockRows;
    a.columns *= m.blockCols;
    a.entries *= m.blockRows * m.blockCols;
    break;
  case CUSPARSE_FORMAT_BLOCKED_ELL:
    a.layout = Layout::Ell;
    a.ellBlocks = m.ellCols / m.blockCols;
    a.entries = m.rows * m.ellCols;
    break;
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    a.layout = Layout::Slices;
    a.sliceRows = m.sliceSize;
    a.entries = m.valuesSize;
    break;
  default:
    break;
  }
  return a;
}

cudaError_t het::sparse::sortKeys(Memory &memory, Index *keys, Index *order, Index count,
                                  Index limit, cudaStream_t stream) {
  Sorting s;
  s.count = count;
  s.limit = limit;
  s.keys = keys;
  s.order = order;
  s.otherKeys = memory.get<Index>(count);
  s.otherOrder = memory.get<Index>(count);
  s.digits = memory.get<Index>(digitRoom(count));
  return memory.status() != cudaSuccess ? memory.status() : sort(s, stream);
}

cudaError_t het::sparse::sumUp(Memory &memory, Index *counts, Index count,
                               cudaStream_t stream) {
  Index *sums = memory.get<Index>(scanRoom);
  return memory.status() != cudaSuccess ? memory.status()
                                        : scan(counts, count, sums, stream);
}
cudaError_t het::sparse::sumUp(Memory &memory, Index *counts, Index count, Index &total,
                               cudaStream_t stream) {
  const cudaError_t error = sumUp(memory, counts, count, stream);
  return error != cudaSuccess ? error : fetch(counts + count, total, stream);
}
cudaError_t het::sparse::waitUnlessCaptured(cudaStream_t stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  return error != cudaSuccess || capture != cudaStreamCaptureStatusNone
             ? error
             : cudaStreamSynchronize(stream);
}
cudaError_t het::sparse::fetch(const Index *from, Index &to, cudaStream_t stream) {
  const cudaError_t error =
      cudaMemcpyAsync(&to, from, sizeof(to), cudaMemcpyDeviceToHost, stream);
  return error != cudaSuccess ? error : cudaStreamSynchronize(stream);
}

cudaError_t het::sparse::turn(const Sparse &a, const Turned &turned,
                              cudaStream_t stream) {
  const Index count = a.entries;
  Memory memory(stream);
  Index *rows = memory.get<Index>(count), *columns = memory.get<Index>(count),
        *places = memory.get<Index>(count), *order = memory.get<Index>(count);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = listEntries(a, rows, columns, places, stream);
  if (error == cudaSuccess)
    error = sortKeys(memory, columns, order, count, a.columns + 1, stream);
  if (error == cudaSuccess)
    error =
        findOffsets(wide(columns), 0, count, wide(turned.offsets), a.columns, 0, stream);
  if (error == cudaSuccess)
    error = permute(wide(rows), order, wide(turned.indices), 0, count, stream);
  if (error == cudaSuccess)
    error = permute(wide(places), order, wide(turned.places), 0, count, stream);
  return error;
}

Sparse het::sparse::transposed(const Sparse &a, const Turned &turned) {
  Sparse t;
  t.rows = a.columns;
  t.columns = a.rows;
  t.entries = a.entries;
  t.offsets = wide(turned.offsets);
  t.indices = wide(turned.indices);
  t.places = turned.places;
  t.values = a.values;
  t.conjugated = a.conjugated;
  return t;
}

cudaError_t het::sparse::transpose(Memory &memory, Sparse &a, cudaStream_t stream) {
  const Turned turned(a, memory.get<Index>(Turned::room(a)));
  const cudaError_t error =
      memory.status() != cudaSuccess ? memory.status() : turn(a, turned, stream);
  a = transposed(a, turned);
  return error;
}

cudaError_t het::sparse::orient(Memory &memory, const cusparseSpMatDescr &a,
                                cusparseOperation_t operation, Sparse &result,
                                cudaStream_t stream) {
  result = sparseOf(a);
  result.conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const bool transposed = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  return transposed == isStoredTransposed(a) ? cudaSuccess
                                             : transpose(memory, result, stream);
}
