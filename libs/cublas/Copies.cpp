// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasSetVector, cublasGetMatrix and their kin: copies by rows of a matrix, or by the
// elements of a vector that does not lie together.

#include "Library.h"

using namespace het::blas;

namespace {

struct Call {
  Index rows, columns, size, from, to; ///< Distances between columns, in elements.
  const void *source;
  void *target;
};

cublasStatus_t copy(const Call &call, cudaMemcpyKind kind, const cudaStream_t *stream) {
  if (call.rows < 0 || call.columns < 0 || call.size <= 0 || call.from < call.rows ||
      call.to < call.rows || call.from <= 0 || call.to <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!call.rows || !call.columns)
    return CUBLAS_STATUS_SUCCESS;
  const auto bytes = [&](Index count) { return static_cast<size_t>(count * call.size); };
  const cudaError_t error =
      stream ? cudaMemcpy2DAsync(call.target, bytes(call.to), call.source,
                                 bytes(call.from), bytes(call.rows),
                                 static_cast<size_t>(call.columns), kind, *stream)
             : cudaMemcpy2D(call.target, bytes(call.to), call.source, bytes(call.from),
                            bytes(call.rows), static_cast<size_t>(call.columns), kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/// A vector is a matrix of one row, whose columns lie `increment` apart.
Call vector(Index n, Index size, const void *x, Index incx, void *y, Index incy) {
  return {1, n, size, incx, incy, x, y};
}

} // namespace

#define HET_COPIES(suffix, I)                                                            \
  HET_CUBLAS(cublasSetVector##suffix)                                                    \
  (I n, I elemSize, const void *x, I incx, void *devicePtr, I incy) {                    \
    return copy(vector(n, elemSize, x, incx, devicePtr, incy), cudaMemcpyHostToDevice,   \
                nullptr);                                                                \
  }                                                                                      \
  HET_CUBLAS(cublasGetVector##suffix)                                                    \
  (I n, I elemSize, const void *x, I incx, void *y, I incy) {                            \
    return copy(vector(n, elemSize, x, incx, y, incy), cudaMemcpyDeviceToHost, nullptr); \
  }                                                                                      \
  HET_CUBLAS(cublasSetMatrix##suffix)                                                    \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb) {                   \
    return copy({rows, cols, elemSize, lda, ldb, A, B}, cudaMemcpyHostToDevice,          \
                nullptr);                                                                \
  }                                                                                      \
  HET_CUBLAS(cublasGetMatrix##suffix)                                                    \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb) {                   \
    return copy({rows, cols, elemSize, lda, ldb, A, B}, cudaMemcpyDeviceToHost,          \
                nullptr);                                                                \
  }                                                                                      \
  HET_CUBLAS(cublasSetVectorAsync##suffix)                                               \
  (I n, I elemSize, const void *hostPtr, I incx, void *devicePtr, I incy,                \
   cudaStream_t stream) {                                                                \
    return copy(vector(n, elemSize, hostPtr, incx, devicePtr, incy),                     \
                cudaMemcpyHostToDevice, &stream);                                        \
  }                                                                                      \
  HET_CUBLAS(cublasGetVectorAsync##suffix)                                               \
  (I n, I elemSize, const void *devicePtr, I incx, void *hostPtr, I incy,                \
   cudaStream_t stream) {                                                                \
    return copy(vector(n, elemSize, devicePtr, incx, hostPtr, incy),                     \
                cudaMemcpyDeviceToHost, &stream);                                        \
  }                                                                                      \
  HET_CUBLAS(cublasSetMatrixAsync##suffix)                                               \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb,                     \
   cudaStream_t stream) {                                                                \
    return copy({rows, cols, elemSize, lda, ldb, A, B}, cudaMemcpyHostToDevice,          \
                &stream);                                                                \
  }                                                                                      \
  HET_CUBLAS(cublasGetMatrixAsync##suffix)                                               \
  (I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb,                     \
   cudaStream_t stream) {                                                                \
    return copy({rows, cols, elemSize, lda, ldb, A, B}, cudaMemcpyDeviceToHost,          \
                &stream);                                                                \
  }
HET_COPIES(, int)
HET_COPIES(_64, int64_t)
