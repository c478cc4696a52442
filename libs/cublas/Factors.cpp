// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many small systems of equations: LU factors, solutions and inverses by them.

#include "Triangles.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

/// Places of matrices, which the interface has as arrays of cuComplex and the like.
template <class T> Kernel<T> *const *placesOf(const T *const *array) {
  return reinterpret_cast<Kernel<T> *const *>(const_cast<T *const *>(array));
}
template <class T> const Kernel<T> *const *readable(const T *const *array) {
  return reinterpret_cast<const Kernel<T> *const *>(array);
}

constexpr int mostForInverse = 32; // cuBLAS documentation: cublas<t>matinvBatched

template <class T>
cublasStatus_t factors(cublasHandle_t handle, int n, T *const *a, int lda, int *pivots,
                       int *info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || batch < 0 || !holds(lda, n) || (batch && !info))
    return CUBLAS_STATUS_INVALID_VALUE;
  return convert(factor(n, placesOf(a), lda, pivots, info, batch, handle->stream));
}

/// Solves with one of the two factors: L has 1 on its diagonal.
template <class T>
cudaError_t solveFactor(cudaStream_t stream, cublasFillMode_t part,
                        cublasOperation_t trans, int n, int columns, const T *const *a,
                        int lda, T *const *b, int ldb, int batch) {
  const Operand triangle = triangleOf(
      operandsOf(a, lda), part, trans,
      part == CUBLAS_FILL_MODE_LOWER ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT);
  return solveTriangle(n, columns, batch, constant(Kernel<T>(1)), triangle,
                       operandsOf(b, ldb), stream);
}

/// B = op(A)^-1 B by A's factors.
template <class T>
cudaError_t solveAll(cudaStream_t stream, cublasOperation_t trans, int n, int columns,
                     const T *const *a, int lda, const int *pivots, T *const *b, int ldb,
                     int batch) {
  const bool plain = trans == CUBLAS_OP_N;
  const auto exchange = [&](bool undo) {
    return pivots
               ? exchangeRows(n, columns, placesOf(b), ldb, pivots, undo, batch, stream)
               : cudaSuccess;
  };
  const cublasFillMode_t first = plain ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                         second = plain ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  cudaError_t error = plain ? exchange(false) : cudaSuccess;
  if (error == cudaSuccess)
    error = solveFactor(stream, first, trans, n, columns, a, lda, b, ldb, batch);
  if (error == cudaSuccess)
    error = solveFactor(stream, second, trans, n, columns, a, lda, b, ldb, batch);
  return error == cudaSuccess && !plain ? exchange(true) : error;
}

template <class T>
cudaError_t invertAll(cudaStream_t stream, int n, const T *const *a, int lda,
                      const int *pivots, T *const *c, int ldc, int *info, int batch) {
  const cudaError_t error =
      setIdentity(n, placesOf(c), ldc, readable(a), lda, info, batch, stream);
  return error != cudaSuccess
             ? error
             : solveAll(stream, CUBLAS_OP_N, n, n, a, lda, pivots, c, ldc, batch);
}

template <class T>
cublasStatus_t solutions(cublasHandle_t handle, cublasOperation_t trans, int n,
                         int columns, const T *const *a, int lda, const int *pivots,
                         T *const *b, int ldb, int *info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = !isOperation(trans) ? -1
          : n < 0             ? -2
          : columns < 0       ? -3
          : !holds(lda, n)    ? -5
          : !holds(ldb, n)    ? -8
          : batch < 0         ? -10
                              : 0;
  if (*info)
    return CUBLAS_STATUS_INVALID_VALUE;
  return convert(
      solveAll(handle->stream, trans, n, columns, a, lda, pivots, b, ldb, batch));
}

template <class T>
cublasStatus_t inverses(cublasHandle_t handle, int n, const T *const *a, int lda,
                        const int *pivots, T *const *c, int ldc, int *info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || batch < 0 || !holds(lda, n) || !holds(ldc, n) || (batch && !info))
    return CUBLAS_STATUS_INVALID_VALUE;
  return convert(invertAll(handle->stream, n, a, lda, pivots, c, ldc, info, batch));
}

/// Factors a copy, by which the inverse is computed.
template <class T>
cublasStatus_t invert(cublasHandle_t handle, int n, const T *const *a, int lda,
                      T *const *c, int ldc, int *info, int batch) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || n > mostForInverse || batch < 0 || !holds(lda, n) || !holds(ldc, n) ||
      (batch && !info))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!n || !batch)
    return CUBLAS_STATUS_SUCCESS;
  const size_t count = static_cast<size_t>(n) * n * batch;
  Temporary numbers(handle, count * sizeof(T));
  Temporary places(handle, static_cast<size_t>(batch) * sizeof(T *));
  Temporary pivots(handle, static_cast<size_t>(n) * batch * sizeof(int));
  for (const Temporary *memory : {&numbers, &places, &pivots})
    if (memory->status() != cudaSuccess)
      return convert(memory->status());
  T **copies = places.as<T *>();
  cudaError_t error = copyMatrices(n, n, readable(a), lda, numbers.as<Kernel<T>>(),
                                   places.as<Kernel<T> *>(), batch, handle->stream);
  if (error == cudaSuccess)
    error = factor(n, placesOf(copies), n, pivots.as<int>(), info, batch, handle->stream);
  if (error == cudaSuccess)
    error =
        invertAll<T>(handle->stream, n, copies, n, pivots.as<int>(), c, ldc, info, batch);
  return convert(error);
}

} // namespace

#define HET_FACTORS(S, T)                                                                \
  HET_CUBLAS_GETRF(cublas##S##getrfBatched, T) {                                         \
    HET_VENDOR(cublas##S##getrfBatched, n, A, lda, P, info, batchSize);                  \
    return factors(handle, n, A, lda, P, info, batchSize);                               \
  }                                                                                      \
  HET_CUBLAS_GETRI(cublas##S##getriBatched, T) {                                         \
    HET_VENDOR(cublas##S##getriBatched, n, A, lda, P, C, ldc, info, batchSize);          \
    return inverses(handle, n, A, lda, P, C, ldc, info, batchSize);                      \
  }                                                                                      \
  HET_CUBLAS_GETRS(cublas##S##getrsBatched, T) {                                         \
    HET_VENDOR(cublas##S##getrsBatched, trans, n, nrhs, A, lda, P, B, ldb, info,         \
               batchSize);                                                               \
    return solutions(handle, trans, n, nrhs, A, lda, P, B, ldb, info, batchSize);        \
  }                                                                                      \
  HET_CUBLAS_MATINV(cublas##S##matinvBatched, T) {                                       \
    HET_VENDOR(cublas##S##matinvBatched, n, A, lda, Ainv, lda_inv, info, batchSize);     \
    return invert(handle, n, A, lda, Ainv, lda_inv, info, batchSize);                    \
  }
HET_FACTORS(S, float)
HET_FACTORS(D, double)
HET_FACTORS(C, cuComplex)
HET_FACTORS(Z, cuDoubleComplex)
