// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky's and LU factors, and solutions and inverses by them.

#include "Library.h"

using namespace het::solver;

namespace {

TriangleKind kindOf(cublasFillMode_t part, cublasOperation_t operation, bool unit) {
  return {part == CUBLAS_FILL_MODE_UPPER, operation != CUBLAS_OP_N,
          operation == CUBLAS_OP_C, unit};
}

/// Solves by L and its conjugate transpose.
template <class T>
Steps &solveCholesky(Steps &steps, cudaStream_t stream, cublasFillMode_t uplo, Index n,
                     Index nrhs, Matrices<T> a, Matrices<T> b, Index batch) {
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  for (const bool first : {true, false})
    steps.then([&] {
      return solveTriangle(
          kindOf(uplo, first == upper ? CUBLAS_OP_C : CUBLAS_OP_N, false), n, nrhs, a, b,
          batch, stream);
    });
  return steps;
}

template <class T>
cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, T *a,
                       Index lda, int *info) {
  const cusolverStatus_t status =
      check(handle, isPart(uplo) && n >= 0 && holds(lda, n) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  using K = Kernel<T>;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  const Matrices<K> inverse = {memory.get<K>(n * n), nullptr, n, 0},
                    own = matrixOf(a, lda);
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  Steps steps;
  steps.then([&] { return memory.status(); }).then([&] {
    return fill(Fill::Identity, upper, n, n, inverse, {}, 1, stream);
  });
  return solveCholesky(steps, stream, uplo, n, n, own, inverse, 1)
      .then(
          [&] { return fill(Fill::CopyTriangle, upper, n, n, own, inverse, 1, stream); })
      .then([&] { return setInfo(info, 0, 1, stream); })
      .status();
}

template <class T>
cusolverStatus_t factorMany(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n,
                            T *const *a, Index lda, int *info, Index batch) {
  const cusolverStatus_t status = check(handle, isPart(uplo) && n >= 0 && batch >= 0 &&
                                                    holds(lda, n) && (!batch || info));
  return status != CUSOLVER_STATUS_SUCCESS
             ? status
             : convert(factorCholesky(uplo == CUBLAS_FILL_MODE_UPPER, n,
                                      matricesOf(a, lda), info, batch, handle->stream));
}
template <class T>
cusolverStatus_t solveMany(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n,
                           Index nrhs, T *const *a, Index lda, T *const *b, Index ldb,
                           int *info, Index batch) {
  const cusolverStatus_t status =
      check(handle, isPart(uplo) && n >= 0 && nrhs >= 0 && batch >= 0 && holds(lda, n) &&
                        holds(ldb, n) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (nrhs != 1)
    return refuse("cusolverDnXpotrsBatched", "more than one right side");
  Steps steps;
  return solveCholesky(steps, handle->stream, uplo, n, nrhs, matricesOf(a, lda),
                       matricesOf(b, ldb), batch)
      .then([&] { return setInfo(info, 0, 1, handle->stream); })
      .status();
}

template <class T>
cusolverStatus_t laswp(cusolverDnHandle_t handle, Index n, T *a, Index lda, int k1,
                       int k2, const int *pivots, int step) {
  const cusolverStatus_t status =
      check(handle, n >= 0 && lda >= 1 && k1 >= 1 && k2 >= k1 && pivots && step);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (step < 0)
    return refuse("cusolverDnXlaswp", "pivots backwards");
  return convert(exchangeRows(n, matrixOf(a, lda), {const_cast<int *>(pivots), false},
                              k1 - 1, k2, step, false, handle->stream));
}

} // namespace

template <class T>
cusolverStatus_t het::solver::potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                    Index n, T *a, Index lda, int *info) {
  const cusolverStatus_t status =
      check(handle, isPart(uplo) && n >= 0 && holds(lda, n) && info);
  return status != CUSOLVER_STATUS_SUCCESS
             ? status
             : convert(factorCholesky(uplo == CUBLAS_FILL_MODE_UPPER, n, matrixOf(a, lda),
                                      info, 1, handle->stream));
}
template <class T>
cusolverStatus_t het::solver::potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                    Index n, Index nrhs, const T *a, Index lda, T *b,
                                    Index ldb, int *info) {
  const cusolverStatus_t status =
      check(handle, isPart(uplo) && n >= 0 && nrhs >= 0 && holds(lda, n) &&
                        holds(ldb, n) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  Steps steps;
  return solveCholesky(steps, handle->stream, uplo, n, nrhs, matrixOf(a, lda),
                       matrixOf(b, ldb), 1)
      .then([&] { return setInfo(info, 0, 1, handle->stream); })
      .status();
}

template <class T>
cusolverStatus_t het::solver::getrf(cusolverDnHandle_t handle, Index m, Index n, T *a,
                                    Index lda, Pivots pivots, int *info) {
  const cusolverStatus_t status =
      check(handle, m >= 0 && n >= 0 && holds(lda, m) && info);
  return status != CUSOLVER_STATUS_SUCCESS
             ? status
             : convert(factorLU(m, n, matrixOf(a, lda), pivots, info, handle->stream));
}
template <class T>
cusolverStatus_t het::solver::getrs(cusolverDnHandle_t handle, cublasOperation_t trans,
                                    Index n, Index nrhs, const T *a, Index lda,
                                    Pivots pivots, T *b, Index ldb, int *info) {
  const bool plainly = trans == CUBLAS_OP_N;
  const cusolverStatus_t status =
      check(handle, (plainly || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C) && n >= 0 &&
                        nrhs >= 0 && holds(lda, n) && holds(ldb, n) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const cudaStream_t stream = handle->stream;
  const auto exchange = [&](bool undo) {
    return pivots.base
               ? exchangeRows(nrhs, matrixOf(b, ldb), pivots, 0, n, 1, undo, stream)
               : cudaSuccess;
  };
  const auto solve = [&](cublasFillMode_t part) {
    return solveTriangle(kindOf(part, trans, part == CUBLAS_FILL_MODE_LOWER), n, nrhs,
                         matrixOf(a, lda), matrixOf(b, ldb), 1, stream);
  };
  return Steps()
      .then([&] { return plainly ? exchange(false) : cudaSuccess; })
      .then([&] {
        return solve(plainly ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER);
      })
      .then([&] {
        return solve(plainly ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER);
      })
      .then([&] { return plainly ? cudaSuccess : exchange(true); })
      .then([&] { return setInfo(info, 0, 1, stream); })
      .status();
}

#define HET_FACTORS(S, T, R, org, orm, syev)                                             \
  HET_CUSOLVER_POTRF_SIZE(cusolverDn##S##potrf_bufferSize, T) {                          \
    return tellSize(handle, isPart(uplo) && n >= 0 && holds(lda, n), Lwork);             \
  }                                                                                      \
  HET_CUSOLVER_POTRF(cusolverDn##S##potrf, T) {                                          \
    return potrf(handle, uplo, n, A, lda, devInfo);                                      \
  }                                                                                      \
  HET_CUSOLVER_POTRS(cusolverDn##S##potrs, T) {                                          \
    return potrs(handle, uplo, n, nrhs, A, lda, B, ldb, devInfo);                        \
  }                                                                                      \
  HET_CUSOLVER_POTRF_BATCHED(cusolverDn##S##potrfBatched, T) {                           \
    return factorMany(handle, uplo, n, Aarray, lda, infoArray, batchSize);               \
  }                                                                                      \
  HET_CUSOLVER_POTRS_BATCHED(cusolverDn##S##potrsBatched, T) {                           \
    return solveMany(handle, uplo, n, nrhs, A, lda, B, ldb, d_info, batchSize);          \
  }                                                                                      \
  HET_CUSOLVER_POTRF_SIZE(cusolverDn##S##potri_bufferSize, T) {                          \
    return tellSize(handle, isPart(uplo) && n >= 0 && holds(lda, n), Lwork);             \
  }                                                                                      \
  HET_CUSOLVER_POTRF(cusolverDn##S##potri, T) {                                          \
    return potri(handle, uplo, n, A, lda, devInfo);                                      \
  }                                                                                      \
  HET_CUSOLVER_GETRF_SIZE(cusolverDn##S##getrf_bufferSize, T) {                          \
    return tellSize(handle, m >= 0 && n >= 0 && holds(lda, m), Lwork);                   \
  }                                                                                      \
  HET_CUSOLVER_GETRF(cusolverDn##S##getrf, T) {                                          \
    return getrf(handle, m, n, A, lda, {devIpiv, false}, devInfo);                       \
  }                                                                                      \
  HET_CUSOLVER_GETRS(cusolverDn##S##getrs, T) {                                          \
    return getrs(handle, trans, n, nrhs, A, lda, {const_cast<int *>(devIpiv), false}, B, \
                 ldb, devInfo);                                                          \
  }                                                                                      \
  HET_CUSOLVER_LASWP(cusolverDn##S##laswp, T) {                                          \
    return laswp(handle, n, A, lda, k1, k2, devIpiv, incx);                              \
  }                                                                                      \
  template cusolverStatus_t het::solver::potrf<T>(cusolverDnHandle_t, cublasFillMode_t,  \
                                                  Index, T *, Index, int *);             \
  template cusolverStatus_t het::solver::potrs<T>(cusolverDnHandle_t, cublasFillMode_t,  \
                                                  Index, Index, const T *, Index, T *,   \
                                                  Index, int *);                         \
  template cusolverStatus_t het::solver::getrf<T>(cusolverDnHandle_t, Index, Index, T *, \
                                                  Index, Pivots, int *);                 \
  template cusolverStatus_t het::solver::getrs<T>(cusolverDnHandle_t, cublasOperation_t, \
                                                  Index, Index, const T *, Index,        \
                                                  Pivots, T *, Index, int *);
HET_SOLVER_TYPES(HET_FACTORS)
