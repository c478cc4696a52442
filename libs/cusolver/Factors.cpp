// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky's and LU factors, and solutions and inverses by them.

#include "Blas.h"
#include "Blocked.h"
#include "Host.h"
#include "Vendor.h"

using namespace het::solver;

namespace {

/// Solves by L and its conjugate transpose, or those of U.
template <class T>
Steps &solveCholesky(Steps &steps, const Blas<T> &blas, cublasFillMode_t uplo, Index n,
                     Index nrhs, Matrices<T> a, Matrices<T> b) {
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  for (const bool first : {true, false})
    steps.then([&] {
      return blas.trsm(CUBLAS_SIDE_LEFT, uplo, first == upper ? adjoint<T> : CUBLAS_OP_N,
                       false, n, nrhs, a.base, a.leading, b.base, b.leading);
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
  if (const auto answer = host::potri(handle, uplo, n, matrixOf(a, lda), info))
    return *answer;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  const Matrices<K> inverse = {memory.get<K>(n * n), nullptr, n, 0},
                    own = matrixOf(a, lda);
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  Steps steps;
  steps.then([&] { return memory.status(); }).then([&] {
    return fill(Fill::Identity, upper, n, n, inverse, {}, 1, stream);
  });
  const Blas<K> blas(handle);
  return solveCholesky(steps, blas, uplo, n, n, own, inverse)
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
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Matrices<Kernel<T>> matrices = matricesOf(a, lda);
  if (const auto answer = host::potrf(handle, uplo, n, matrices, info, batch))
    return *answer;
  return convert(factorCholesky(uplo == CUBLAS_FILL_MODE_UPPER, n, matrices, 0, info,
                                batch, handle->stream));
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
  const Matrices<Kernel<T>> matrices = matricesOf(a, lda), sides = matricesOf(b, ldb);
  if (const auto answer =
          host::potrs(handle, uplo, n, nrhs, matrices, sides, info, batch))
    return *answer;
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  Steps steps;
  for (const bool first : {true, false})
    steps.then([&] {
      return solveTriangle({upper, first == upper, first == upper, false}, n, nrhs,
                           matrices, sides, batch, handle->stream);
    });
  return steps.then([&] { return setInfo(info, 0, 1, handle->stream); }).status();
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
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Matrices<Kernel<T>> matrix = matrixOf(a, lda);
  if (const auto answer = host::potrf(handle, uplo, n, matrix, info, 1))
    return *answer;
  return convert(blocked::factorCholesky(handle, uplo, n, matrix, info));
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
  const Matrices<Kernel<T>> matrix = matrixOf(a, lda), sides = matrixOf(b, ldb);
  if (const auto answer = host::potrs(handle, uplo, n, nrhs, matrix, sides, info, 1))
    return *answer;
  Steps steps;
  const Blas<Kernel<T>> blas(handle);
  return solveCholesky(steps, blas, uplo, n, nrhs, matrix, sides)
      .then([&] { return setInfo(info, 0, 1, handle->stream); })
      .status();
}

template <class T>
cusolverStatus_t het::solver::getrf(cusolverDnHandle_t handle, Index m, Index n, T *a,
                                    Index lda, Pivots pivots, int *info) {
  const cusolverStatus_t status =
      check(handle, m >= 0 && n >= 0 && holds(lda, m) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Matrices<Kernel<T>> matrix = matrixOf(a, lda);
  if (const auto answer = host::getrf(handle, m, n, matrix, pivots, info))
    return *answer;
  return convert(blocked::factorLU(handle, m, n, matrix, pivots, info));
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
  using K = Kernel<T>;
  const cudaStream_t stream = handle->stream;
  const Matrices<K> matrix = matrixOf(a, lda), sides = matrixOf(b, ldb);
  if (const auto answer =
          host::getrs(handle, trans, n, nrhs, matrix, pivots, sides, info))
    return *answer;
  const Blas<K> blas(handle);
  const auto exchange = [&](bool undo) {
    return pivots.base ? exchangeRows(nrhs, sides, pivots, 0, n, 1, undo, stream)
                       : cudaSuccess;
  };
  const auto solve = [&](cublasFillMode_t part) {
    return blas.trsm(CUBLAS_SIDE_LEFT, part, trans, part == CUBLAS_FILL_MODE_LOWER, n,
                     nrhs, matrix.base, lda, sides.base, ldb);
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

template <class T>
cusolverStatus_t het::solver::trtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                    cublasDiagType_t diagonal, Index n, T *a, Index lda,
                                    int *info) {
  using K = Kernel<T>;
  const bool unit = diagonal == CUBLAS_DIAG_UNIT, upper = uplo == CUBLAS_FILL_MODE_UPPER;
  const cusolverStatus_t status =
      check(handle, isPart(uplo) && (unit || diagonal == CUBLAS_DIAG_NON_UNIT) &&
                        n >= 0 && holds(lda, n) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Matrices<K> own = matrixOf(a, lda);
  if (const auto answer = host::trtri(handle, uplo, unit, n, own, info))
    return *answer;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  const Matrices<K> inverse = {memory.get<K>(n * n), nullptr, n > 0 ? n : 1, 0};
  const Blas<K> blas(handle);
  return Steps()
      .then([&] { return memory.status(); })
      .then([&] { return fill(Fill::Identity, upper, n, n, inverse, {}, 1, stream); })
      .then([&] { return findZero(unit ? 0 : n, own, info, stream); })
      .then([&] {
        return blas.trsm(CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_N, unit, n, n, own.base, lda,
                         inverse.base, inverse.leading);
      })
      .then([&] {
        return fill(unit ? Fill::CopyInside : Fill::CopyTriangle, upper, n, n, own,
                    inverse, 1, stream);
      })
      .status();
}

#define HET_FACTORS(S, T, R, org, orm, syev, sygv)                                       \
  HET_CUSOLVER_POTRF_SIZE(cusolverDn##S##potrf_bufferSize, T) {                          \
    HET_VENDOR(cusolverDn##S##potrf_bufferSize, uplo, n, A, lda, Lwork);                 \
    return tellSize(handle, isPart(uplo) && n >= 0 && holds(lda, n), Lwork);             \
  }                                                                                      \
  HET_CUSOLVER_POTRF(cusolverDn##S##potrf, T) {                                          \
    HET_VENDOR(cusolverDn##S##potrf, uplo, n, A, lda, Workspace, Lwork, devInfo);        \
    return potrf(handle, uplo, n, A, lda, devInfo);                                      \
  }                                                                                      \
  HET_CUSOLVER_POTRS(cusolverDn##S##potrs, T) {                                          \
    HET_VENDOR(cusolverDn##S##potrs, uplo, n, nrhs, A, lda, B, ldb, devInfo);            \
    return potrs(handle, uplo, n, nrhs, A, lda, B, ldb, devInfo);                        \
  }                                                                                      \
  HET_CUSOLVER_POTRF_BATCHED(cusolverDn##S##potrfBatched, T) {                           \
    HET_VENDOR(cusolverDn##S##potrfBatched, uplo, n, Aarray, lda, infoArray, batchSize); \
    return factorMany(handle, uplo, n, Aarray, lda, infoArray, batchSize);               \
  }                                                                                      \
  HET_CUSOLVER_POTRS_BATCHED(cusolverDn##S##potrsBatched, T) {                           \
    HET_VENDOR(cusolverDn##S##potrsBatched, uplo, n, nrhs, A, lda, B, ldb, d_info,       \
               batchSize);                                                               \
    return solveMany(handle, uplo, n, nrhs, A, lda, B, ldb, d_info, batchSize);          \
  }                                                                                      \
  HET_CUSOLVER_POTRF_SIZE(cusolverDn##S##potri_bufferSize, T) {                          \
    HET_VENDOR(cusolverDn##S##potri_bufferSize, uplo, n, A, lda, Lwork);                 \
    return tellSize(handle, isPart(uplo) && n >= 0 && holds(lda, n), Lwork);             \
  }                                                                                      \
  HET_CUSOLVER_POTRF(cusolverDn##S##potri, T) {                                          \
    HET_VENDOR(cusolverDn##S##potri, uplo, n, A, lda, Workspace, Lwork, devInfo);        \
    return potri(handle, uplo, n, A, lda, devInfo);                                      \
  }                                                                                      \
  HET_CUSOLVER_GETRF_SIZE(cusolverDn##S##getrf_bufferSize, T) {                          \
    HET_VENDOR(cusolverDn##S##getrf_bufferSize, m, n, A, lda, Lwork);                    \
    return tellSize(handle, m >= 0 && n >= 0 && holds(lda, m), Lwork);                   \
  }                                                                                      \
  HET_CUSOLVER_GETRF(cusolverDn##S##getrf, T) {                                          \
    HET_VENDOR(cusolverDn##S##getrf, m, n, A, lda, Workspace, devIpiv, devInfo);         \
    return getrf(handle, m, n, A, lda, {devIpiv, false}, devInfo);                       \
  }                                                                                      \
  HET_CUSOLVER_GETRS(cusolverDn##S##getrs, T) {                                          \
    HET_VENDOR(cusolverDn##S##getrs, trans, n, nrhs, A, lda, devIpiv, B, ldb, devInfo);  \
    return getrs(handle, trans, n, nrhs, A, lda, {const_cast<int *>(devIpiv), false}, B, \
                 ldb, devInfo);                                                          \
  }                                                                                      \
  HET_CUSOLVER_LASWP(cusolverDn##S##laswp, T) {                                          \
    HET_VENDOR(cusolverDn##S##laswp, n, A, lda, k1, k2, devIpiv, incx);                  \
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
                                                  Pivots, T *, Index, int *);            \
  template cusolverStatus_t het::solver::trtri<T>(                                       \
      cusolverDnHandle_t, cublasFillMode_t, cublasDiagType_t, Index, T *, Index, int *);
HET_SOLVER_TYPES(HET_FACTORS)
