// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of symmetric and Hermitian matrices, by Jacobi's method whatever the name
// of the function.

#include "Library.h"

using namespace het::solver;

namespace {

template <class T, class R> struct Call {
  cusolverDnHandle_t handle;
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  Index n;
  T *a;
  Index lda;
  R *w;
  int *info;
  Index batch = 1;
};

template <class T, class R>
cusolverStatus_t solve(const Call<T, R> &call, const JacobiInfo *how) {
  using K = Kernel<T>;
  const cusolverStatus_t status =
      check(call.handle, isMode(call.jobz) && isPart(call.uplo) && call.n >= 0 &&
                             call.batch >= 0 && holds(call.lda, call.n) && call.info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const cudaStream_t stream = call.handle->stream;
  const bool vectors = call.jobz == CUSOLVER_EIG_MODE_VECTOR;
  const Matrices<K> a = matrixOf(call.a, call.lda, call.lda * call.n);
  Memory memory(stream);
  K *room = memory.get<K>(call.n * call.n * call.batch);
  Iteration iteration = how ? how->iteration : Iteration();
  return Steps()
      .then([&] { return memory.status(); })
      .then([&] {
        return fill(Fill::Mirror, call.uplo == CUBLAS_FILL_MODE_UPPER, call.n, call.n, a,
                    {}, call.batch, stream);
      })
      .then([&] {
        return findEigenvalues(iteration, vectors, call.n, a, call.w, room, call.info,
                               how ? how->progress : nullptr, call.batch, stream);
      })
      .status();
}

} // namespace

template <class T, class R>
cusolverStatus_t het::solver::syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                    cublasFillMode_t uplo, Index n, T *a, Index lda, R *w,
                                    int *info) {
  return solve<T, R>({handle, jobz, uplo, n, a, lda, w, info}, nullptr);
}

#define HET_EIGENVALUES(S, T, R, org, orm, syev)                                         \
  HET_CUSOLVER_SYEVD_SIZE(cusolverDn##S##syev##d_bufferSize, T, R) {                     \
    return tellSize(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),     \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVD(cusolverDn##S##syev##d, T, R) {                                     \
    return syevd(handle, jobz, uplo, n, A, lda, W, info);                                \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ_SIZE(cusolverDn##S##syev##j_bufferSize, T, R) {                     \
    return tellSize(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),     \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ(cusolverDn##S##syev##j, T, R) {                                     \
    return solve<T, R>({handle, jobz, uplo, n, A, lda, W, info}, params);                \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ_BATCHED_SIZE(cusolverDn##S##syev##jBatched_bufferSize, T, R) {      \
    return tellSize(handle,                                                              \
                    isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n) &&           \
                        batchSize >= 0,                                                  \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ_BATCHED(cusolverDn##S##syev##jBatched, T, R) {                      \
    return solve<T, R>({handle, jobz, uplo, n, A, lda, W, info, batchSize}, params);     \
  }                                                                                      \
  template cusolverStatus_t het::solver::syevd<T, R>(                                    \
      cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, Index, T *, Index, R *,   \
      int *);
HET_SOLVER_TYPES(HET_EIGENVALUES)
