// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of symmetric and Hermitian matrices: by kernels with Jacobi's method,
// whatever the name of the function.

#include "Host.h"
#include "Vendor.h"

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
cusolverStatus_t solve(const Call<T, R> &call, JacobiInfo *how) {
  using K = Kernel<T>;
  const cusolverStatus_t status =
      check(call.handle, isMode(call.jobz) && isPart(call.uplo) && call.n >= 0 &&
                             call.batch >= 0 && holds(call.lda, call.n) && call.info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const cudaStream_t stream = call.handle->stream;
  const bool vectors = call.jobz == CUSOLVER_EIG_MODE_VECTOR;
  const Matrices<K> a = matrixOf(call.a, call.lda, call.lda * call.n);
  const Iteration iteration = how ? how->iteration : Iteration();
  Progress *const progress = how ? how->progress : nullptr;
  if (how)
    how->isVendors = false;
  if (endsByTolerance(iteration))
    if (const auto answer = host::syevd(call.handle, call.jobz, call.uplo, call.n, a,
                                        call.w, call.info, progress, call.batch))
      return *answer;
  Memory memory(stream);
  K *room = memory.get<K>(call.n * call.n * call.batch);
  return Steps()
      .then([&] { return memory.status(); })
      .then([&] {
        return fill(Fill::Mirror, call.uplo == CUBLAS_FILL_MODE_UPPER, call.n, call.n, a,
                    {}, call.batch, stream);
      })
      .then([&] {
        return findEigenvalues(iteration, vectors, call.n, a, call.w, room, call.info,
                               progress, call.batch, stream);
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
template <class T, class R>
cusolverStatus_t het::solver::syevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                    cublasFillMode_t uplo, Index n, T *a, Index lda, R *w,
                                    int *info, JacobiInfo *how) {
  return solve<T, R>({handle, jobz, uplo, n, a, lda, w, info}, how);
}

#define HET_EIGENVALUES(S, T, R, org, orm, syev, sygv)                                   \
  HET_CUSOLVER_SYEVD_SIZE(cusolverDn##S##syev##d_bufferSize, T, R) {                     \
    HET_VENDOR(cusolverDn##S##syev##d_bufferSize, jobz, uplo, n, A, lda, W, lwork);      \
    return tellSize(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),     \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVD(cusolverDn##S##syev##d, T, R) {                                     \
    HET_VENDOR(cusolverDn##S##syev##d, jobz, uplo, n, A, lda, W, work, lwork, info);     \
    return syevd(handle, jobz, uplo, n, A, lda, W, info);                                \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ_SIZE(cusolverDn##S##syev##j_bufferSize, T, R) {                     \
    HET_VENDOR(cusolverDn##S##syev##j_bufferSize, jobz, uplo, n, A, lda, W, lwork,       \
               vendorsOf(handle, params));                                               \
    return tellSize(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),     \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ(cusolverDn##S##syev##j, T, R) {                                     \
    HET_VENDOR(cusolverDn##S##syev##j, jobz, uplo, n, A, lda, W, work, lwork, info,      \
               vendorsOf(handle, params));                                               \
    return syevj(handle, jobz, uplo, n, A, lda, W, info, params);                        \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ_BATCHED_SIZE(cusolverDn##S##syev##jBatched_bufferSize, T, R) {      \
    HET_VENDOR(cusolverDn##S##syev##jBatched_bufferSize, jobz, uplo, n, A, lda, W,       \
               lwork, vendorsOf(handle, params), batchSize);                             \
    return tellSize(handle,                                                              \
                    isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n) &&           \
                        batchSize >= 0,                                                  \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVJ_BATCHED(cusolverDn##S##syev##jBatched, T, R) {                      \
    HET_VENDOR(cusolverDn##S##syev##jBatched, jobz, uplo, n, A, lda, W, work, lwork,     \
               info, vendorsOf(handle, params), batchSize);                              \
    return solve<T, R>({handle, jobz, uplo, n, A, lda, W, info, batchSize}, params);     \
  }                                                                                      \
  template cusolverStatus_t het::solver::syevd<T, R>(                                    \
      cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, Index, T *, Index, R *,   \
      int *);                                                                            \
  template cusolverStatus_t het::solver::syevj<T, R>(                                    \
      cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, Index, T *, Index, R *,   \
      int *, JacobiInfo *);
HET_SOLVER_TYPES(HET_EIGENVALUES)
