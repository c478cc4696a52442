// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of cuSPARSE share: the handle, descriptions of vectors and matrices,
// memory for the length of a call, the results of launches.

#ifndef HET_LIBS_CUSPARSE_LIBRARY_H
#define HET_LIBS_CUSPARSE_LIBRARY_H

#include "../StreamMemory.h"
#include "Kernels.h"
#include "VendorDescription.h"
#include "common/Aside.h"

#include <cstring>
#include <cuda_runtime_api.h>
#include <memory>
#include <new>
#include <vector>

#pragma GCC visibility push(default)
#include <cusparse.h>
#pragma GCC visibility pop

namespace het::sparse {
class VendorHandle;
}

/// How functions are to work. One thread uses a handle at a time.
struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointerMode = CUSPARSE_POINTER_MODE_HOST;
  std::unique_ptr<het::sparse::VendorHandle> vendor; ///< Where that is the back end.

  cusparseContext();
  ~cusparseContext();
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fillMode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagType = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  mutable het::sparse::VendorDescription vendors = {};
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
  mutable het::sparse::VendorDescription vendors = {};
};

struct cusparseDnMatDescr {
  int64_t rows, cols, leading;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batch = 1;
  int64_t batchStride = 0;
  mutable het::sparse::VendorDescription vendors = {};
};

struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, cols, nnz; ///< BSR: rows, columns and number of blocks.
  void *offsets;           ///< Of rows, columns (CSC) or slices; COO: the rows.
  void *indices, *values;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  int64_t blockRows = 1, blockCols = 1; ///< BSR, Blocked-ELL.
  cusparseOrder_t blockOrder = CUSPARSE_ORDER_ROW;
  int64_t ellCols = 0;
  int64_t sliceSize = 1, valuesSize = 0; ///< Sliced ELL.
  int batch = 1;
  int64_t offsetStride = 0, indexStride = 0, valueStride = 0;
  cusparseFillMode_t fillMode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagType = CUSPARSE_DIAG_TYPE_NON_UNIT;
  /// The program's buffer that has the transposed structure; null: none has.
  mutable const void *turnedIn = nullptr;
  bool isTriangle = false; ///< The program has said of which part and diagonal.
  mutable het::sparse::VendorDescription vendors = {};
};

namespace het::sparse {

/// A failed call of the runtime, as cuSPARSE says it.
cusparseStatus_t convert(cudaError_t error);

/// Says that a function, or what it was asked for, is not there.
cusparseStatus_t refuse(const char *function, const char *what);

/// Kernels take their memory in the stream's order, so programs need none for work. Not
/// 0: a null pointer asks some functions for the size.
constexpr size_t smallBuffer = 16;

using Memory = libs::StreamMemory;

/// Device memory that a description keeps between calls.
class Kept {
public:
  Kept() = default;
  Kept(const Kept &) = delete;
  ~Kept() {
    const libs::RelaxedCapture relaxed;
    (void)cudaFree(place);
  }
  /// Room for `count` numbers, without what was there.
  cudaError_t reserve(Index count);
  Index *get() const { return place; }

private:
  Index *place = nullptr;
  Index room = 0;
};

/// What numbers of a type are computed with.
cudaDataType computeTypeOf(cudaDataType type);
/// A narrow number, or a pair of such, in the program's memory.
float widenedReal(const void *place, int number, cudaDataType type);
template <class T> T widened(const void *place, cudaDataType type) {
  const auto first = static_cast<Real<T>>(widenedReal(place, 0, type));
  if constexpr (isComplex<T>)
    return T(first, static_cast<Real<T>>(widenedReal(place, 1, type)));
  else
    return T(first);
}

/// The factor that a function was given.
template <class T, class Given = void>
Scalar<T> scalarOf(cusparseHandle_t handle, const Given *place) {
  Scalar<T> scalar;
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE)
    scalar.place = reinterpret_cast<const T *>(place);
  else
    std::memcpy(static_cast<void *>(&scalar.value), place, sizeof(T)); // of any alignment
  return scalar;
}
/// One of the type that a call computes with, which may be narrow.
template <class T>
Scalar<T> scalarOf(cusparseHandle_t handle, const void *place, cudaDataType type) {
  if (computeTypeOf(type) == type)
    return scalarOf<T>(handle, place);
  Scalar<T> scalar;
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE) {
    scalar.place = static_cast<const T *>(place);
    scalar.type = type;
  } else {
    scalar.value = widened<T>(place, type);
  }
  return scalar;
}
template <class T> Scalar<T> constant(T value) {
  Scalar<T> scalar;
  scalar.value = value;
  return scalar;
}

/// Calls `call` with a zero of the type that is computed with.
template <class Call> cusparseStatus_t withType(cudaDataType type, const Call &call) {
  switch (type) {
  case CUDA_R_32F:
    return call(float());
  case CUDA_R_64F:
    return call(double());
  case CUDA_C_32F:
    return call(Complex32(0));
  case CUDA_C_64F:
    return call(Complex64(0));
  default:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}
/// Also for sums of int.
template <class Call>
cusparseStatus_t withTypeOrInt(cudaDataType type, const Call &call) {
  return type == CUDA_R_32I ? call(int()) : withType(type, call);
}
/// Whether kernels that compute with a type read (write) another one.
bool reads(cudaDataType compute, cudaDataType type);
bool writes(cudaDataType compute, cudaDataType type);
size_t sizeOf(cudaDataType type);

inline bool isOperation(cusparseOperation_t operation) {
  return operation >= CUSPARSE_OPERATION_NON_TRANSPOSE &&
         operation <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
inline bool isBase(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
inline bool isIndexType(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

template <class T> constexpr cudaDataType typeOf() {
  if constexpr (isComplex<T>)
    return sizeof(T) == 16 ? CUDA_C_64F : CUDA_C_32F;
  else
    return sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
}

// Descriptions as kernels take them.
inline Indices indicesOf(const void *place, cusparseIndexType_t type) {
  return {const_cast<void *>(place), type == CUSPARSE_INDEX_64I};
}
inline Indices narrow(const int *place) { return {const_cast<int *>(place), false}; }
inline Indices wide(const Index *place) { return {const_cast<Index *>(place), true}; }
inline SparseVector vectorOf(const cusparseSpVecDescr &x) {
  return {x.nnz, x.base, indicesOf(x.indices, x.indexType), {x.values, x.type}};
}
Dense denseOf(const cusparseDnMatDescr &a);
inline Dense denseOf(const cusparseDnVecDescr &x) {
  return {{x.values, x.type}, 1, 0, 0, false};
}
/// A dense matrix by columns, of the legacy functions.
template <class T> Dense denseOf(const T *a, Index leading) {
  return {{const_cast<T *>(a), typeOf<Kernel<T>>()}, 1, leading, 0, false};
}
void apply(cusparseOperation_t operation, Dense &a);
/// Of compressed columns the transposed matrix.
Sparse sparseOf(const cusparseSpMatDescr &a);
inline bool isStoredTransposed(const cusparseSpMatDescr &a) {
  return a.format == CUSPARSE_FORMAT_CSC;
}
/// A matrix of the legacy functions. `values` may be null.
template <class T>
Sparse sparseOf(Index rows, Index columns, Index entries, const cusparseMatDescr *descr,
                const T *values, const int *offsets, const int *indices) {
  Sparse a;
  a.rows = rows;
  a.columns = columns;
  a.entries = entries;
  a.base = descr ? descr->base : 0;
  a.offsets = narrow(offsets);
  a.indices = narrow(indices);
  a.values = {const_cast<T *>(values), typeOf<Kernel<T>>()};
  return a;
}

/// The structure of a transposed matrix, in one piece of memory.
struct Turned {
  static Index room(const Sparse &a) { return a.columns + 1 + 2 * a.entries; }
  Turned(const Sparse &a, Index *memory)
      : offsets(memory), indices(memory + a.columns + 1), places(indices + a.entries) {}
  Index *offsets, *indices, *places;
};
/// Finds it, and is the matrix by it.
cudaError_t turn(const Sparse &a, const Turned &turned, cudaStream_t stream);
Sparse transposed(const Sparse &a, const Turned &turned);
/// Turns `a` into its transposed matrix, whose structure is in `memory`; the values stay.
cudaError_t transpose(Memory &memory, Sparse &a, cudaStream_t stream);
/// op(A) with rows that kernels go through.
cudaError_t orient(Memory &memory, const cusparseSpMatDescr &a,
                   cusparseOperation_t operation, Sparse &result, cudaStream_t stream);

/// The order in which keys are sorted, which are sorted then. Keys are less than `limit`.
cudaError_t sortKeys(Memory &memory, Index *keys, Index *order, Index count, Index limit,
                     cudaStream_t stream);
/// Counts to offsets in place, with the sum behind them, which it waits for.
cudaError_t sumUp(Memory &memory, Index *counts, Index count, Index &total,
                  cudaStream_t stream);
/// The same without waiting.
cudaError_t sumUp(Memory &memory, Index *counts, Index count, cudaStream_t stream);
/// Waits for the stream, unless it captures: then results come when the graph runs.
cudaError_t waitUnlessCaptured(cudaStream_t stream);
/// A number from the device, for which it waits.
cudaError_t fetch(const Index *from, Index &to, cudaStream_t stream);

} // namespace het::sparse

#endif // HET_LIBS_CUSPARSE_LIBRARY_H
