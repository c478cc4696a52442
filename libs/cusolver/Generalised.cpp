// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of two matrices, A x = w B x (type 1), A B x = w x (2) and B A x = w x (3),
// by Cholesky's factor of B; and eigenvalues of a range, taken of all.

#include "Blas.h"
#include "Blocked.h"
#include "Host.h"
#include "Vendor.h"

using namespace het::solver;

namespace {

bool isType(cusolverEigType_t type) {
  return type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3;
}
bool isPair(cusolverEigType_t type, cusolverEigMode_t jobz, cublasFillMode_t uplo,
            Index n, Index lda, Index ldb) {
  return isType(type) && isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n) &&
         holds(ldb, n);
}
template <class R> bool isRange(const Range<R> &range, Index n) {
  switch (range.kind) {
  case CUSOLVER_EIG_RANGE_ALL:
    return true;
  case CUSOLVER_EIG_RANGE_V:
    return range.lower < range.upper;
  case CUSOLVER_EIG_RANGE_I:
    return n == 0 || (range.first >= 1 && range.first <= range.last && range.last <= n);
  }
  return false;
}

/// B = L L^H, or U^H U with U^H in L's place.
template <class K> struct Reduction {
  const Blas<K> &blas;
  cublasFillMode_t part;
  Index n;
  Matrices<K> a, b;

  /// Multiplies A by op(L) or its inverse.
  cudaError_t times(bool inverse, cublasSideMode_t side, bool conjugated) const {
    const bool upper = part == CUBLAS_FILL_MODE_UPPER;
    const cublasOperation_t op = conjugated == upper ? CUBLAS_OP_N : adjoint<K>;
    return inverse ? blas.trsm(side, part, op, false, n, n, b.base, b.leading, a.base,
                               a.leading)
                   : blas.trmm(side, part, op, false, n, n, b.base, b.leading, a.base,
                               a.leading);
  }
};

template <class T, class R>
cusolverStatus_t reduceAndSolve(cusolverDnHandle_t handle, cusolverEigType_t type,
                                cusolverEigMode_t jobz, cublasFillMode_t uplo, Index n,
                                T *a, Index lda, T *b, Index ldb, R *w, int *info,
                                JacobiInfo *how = nullptr) {
  using K = Kernel<T>;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  int *factored = memory.get<int>(1);
  const Blas<K> blas(handle);
  const Reduction<K> reduction = {blas, uplo, n, matrixOf(a, lda), matrixOf(b, ldb)};
  const bool first = type == CUSOLVER_EIG_TYPE_1;
  // L^-1 A L^-H, or L^H A L.
  Steps steps;
  steps.then([&] { return memory.status(); })
      .then(
          [&] { return blocked::factorCholesky(handle, uplo, n, reduction.b, factored); })
      .then([&] {
        return fill(Fill::Mirror, uplo == CUBLAS_FILL_MODE_UPPER, n, n, reduction.a, {},
                    1, stream);
      })
      .then([&] { return reduction.times(first, CUBLAS_SIDE_LEFT, !first); })
      .then([&] { return reduction.times(first, CUBLAS_SIDE_RIGHT, first); });
  cusolverStatus_t status = steps.status();
  if (status == CUSOLVER_STATUS_SUCCESS)
    status = syevj(handle, jobz, uplo, n, a, lda, w, info, how);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return Steps()
      .then([&] {
        return jobz != CUSOLVER_EIG_MODE_VECTOR ? cudaSuccess
               : type == CUSOLVER_EIG_TYPE_3
                   ? reduction.times(false, CUBLAS_SIDE_LEFT, false)
                   : reduction.times(true, CUBLAS_SIDE_LEFT, true);
      })
      .then([&] { return joinInfo(info, factored, n, stream); })
      .status();
}

} // namespace

template <class T, class R>
cusolverStatus_t het::solver::sygvd(cusolverDnHandle_t handle, cusolverEigType_t type,
                                    cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                    Index n, T *a, Index lda, T *b, Index ldb, R *w,
                                    int *info) {
  const cusolverStatus_t status =
      check(handle, isPair(type, jobz, uplo, n, lda, ldb) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (const auto answer = host::sygvd(handle, type, jobz, uplo, n, matrixOf(a, lda),
                                      matrixOf(b, ldb), w, info))
    return *answer;
  return reduceAndSolve(handle, type, jobz, uplo, n, a, lda, b, ldb, w, info);
}

template <class T, class R>
cusolverStatus_t het::solver::selectEigenvalues(cusolverDnHandle_t handle, bool vectors,
                                                const Range<R> &range, Index n, T *a,
                                                Index lda, R *w, Index *count) {
  using K = Kernel<T>;
  Index first = 0, last = n;
  if (range.kind == CUSOLVER_EIG_RANGE_I) {
    first = n == 0 ? 0 : range.first - 1;
    last = n == 0 ? 0 : range.last;
  } else if (range.kind == CUSOLVER_EIG_RANGE_V) {
    std::vector<R> values(static_cast<size_t>(n));
    cudaError_t error =
        cudaMemcpyAsync(values.data(), w, static_cast<size_t>(n) * sizeof(R),
                        cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess)
      error = cudaStreamSynchronize(handle->stream);
    if (error != cudaSuccess)
      return convert(error);
    while (first < n && !(values[static_cast<size_t>(first)] > range.lower))
      ++first;
    last = first;
    while (last < n && values[static_cast<size_t>(last)] <= range.upper)
      ++last;
  }
  *count = last - first;
  if (first == 0 || *count == 0)
    return CUSOLVER_STATUS_SUCCESS;
  // Columns overlap with their places, so they go by way of the call's memory.
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  const Matrices<R> values = {memory.get<R>(*count), nullptr, *count, 0},
                    from = {w + first, nullptr, n, 0}, to = {w, nullptr, n, 0};
  const Matrices<K> kept = {memory.get<K>(vectors ? n * *count : 1), nullptr, n, 0},
                    own = matrixOf(a, lda), columns = matrixOf(a + first * lda, lda);
  const Index moved = vectors ? *count : 0;
  return Steps()
      .then([&] { return memory.status(); })
      .then([&] { return copy(false, *count, 1, from, values, 1, stream); })
      .then([&] { return copy(false, *count, 1, values, to, 1, stream); })
      .then([&] { return copy(false, n, moved, columns, kept, 1, stream); })
      .then([&] { return copy(false, n, moved, kept, own, 1, stream); })
      .status();
}

template <class T, class R>
cusolverStatus_t het::solver::syevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                     cublasFillMode_t uplo, const Range<R> &range,
                                     Index n, T *a, Index lda, R *w, Index *count,
                                     int *info) {
  cusolverStatus_t status = check(handle, isRange(range, n) && count);
  if (status == CUSOLVER_STATUS_SUCCESS)
    status = syevd(handle, jobz, uplo, n, a, lda, w, info);
  return status == CUSOLVER_STATUS_SUCCESS
             ? selectEigenvalues(handle, jobz == CUSOLVER_EIG_MODE_VECTOR, range, n, a,
                                 lda, w, count)
             : status;
}

namespace {

/// A number of eigenvalues as the interface's int.
cusolverStatus_t tellCount(cusolverStatus_t status, Index count, int *to) {
  if (status == CUSOLVER_STATUS_SUCCESS)
    *to = static_cast<int>(count);
  return status;
}

template <class T, class R>
cusolverStatus_t sygvdx(cusolverDnHandle_t handle, cusolverEigType_t type,
                        cusolverEigMode_t jobz, cublasFillMode_t uplo,
                        const Range<R> &range, Index n, T *a, Index lda, T *b, Index ldb,
                        R *w, int *count, int *info) {
  cusolverStatus_t status = check(handle, isRange(range, n) && count);
  if (status == CUSOLVER_STATUS_SUCCESS)
    status = sygvd(handle, type, jobz, uplo, n, a, lda, b, ldb, w, info);
  Index found = 0;
  if (status == CUSOLVER_STATUS_SUCCESS)
    status = selectEigenvalues(handle, jobz == CUSOLVER_EIG_MODE_VECTOR, range, n, a, lda,
                               w, &found);
  return tellCount(status, found, count);
}

/// Jacobi's settings are those of the reduced problem, which is solved as by sygvd.
template <class T, class R>
cusolverStatus_t sygvj(cusolverDnHandle_t handle, cusolverEigType_t type,
                       cusolverEigMode_t jobz, cublasFillMode_t uplo, Index n, T *a,
                       Index lda, T *b, Index ldb, R *w, int *info, JacobiInfo *how) {
  const cusolverStatus_t status =
      check(handle, isPair(type, jobz, uplo, n, lda, ldb) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return reduceAndSolve(handle, type, jobz, uplo, n, a, lda, b, ldb, w, info, how);
}

} // namespace

#define HET_GENERALISED(S, T, R, org, orm, syev, sygv)                                   \
  HET_CUSOLVER_SYGVD_SIZE(cusolverDn##S##sygv##d_bufferSize, T, R) {                     \
    HET_VENDOR(cusolverDn##S##sygv##d_bufferSize, itype, jobz, uplo, n, A, lda, B, ldb,  \
               W, lwork);                                                                \
    return tellSize(handle, isPair(itype, jobz, uplo, n, lda, ldb), lwork);              \
  }                                                                                      \
  HET_CUSOLVER_SYGVD(cusolverDn##S##sygv##d, T, R) {                                     \
    HET_VENDOR(cusolverDn##S##sygv##d, itype, jobz, uplo, n, A, lda, B, ldb, W, work,    \
               lwork, info);                                                             \
    return sygvd(handle, itype, jobz, uplo, n, A, lda, B, ldb, W, info);                 \
  }                                                                                      \
  HET_CUSOLVER_SYGVJ_SIZE(cusolverDn##S##sygv##j_bufferSize, T, R) {                     \
    HET_VENDOR(cusolverDn##S##sygv##j_bufferSize, itype, jobz, uplo, n, A, lda, B, ldb,  \
               W, lwork, vendorsOf(handle, params));                                     \
    return tellSize(handle, isPair(itype, jobz, uplo, n, lda, ldb), lwork);              \
  }                                                                                      \
  HET_CUSOLVER_SYGVJ(cusolverDn##S##sygv##j, T, R) {                                     \
    HET_VENDOR(cusolverDn##S##sygv##j, itype, jobz, uplo, n, A, lda, B, ldb, W, work,    \
               lwork, info, vendorsOf(handle, params));                                  \
    return sygvj(handle, itype, jobz, uplo, n, A, lda, B, ldb, W, info, params);         \
  }                                                                                      \
  HET_CUSOLVER_SYEVDX_SIZE(cusolverDn##S##syev##dx_bufferSize, T, R) {                   \
    HET_VENDOR(cusolverDn##S##syev##dx_bufferSize, jobz, range, uplo, n, A, lda, vl, vu, \
               il, iu, meig, W, lwork);                                                  \
    return tellSize(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),     \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_SYEVDX(cusolverDn##S##syev##dx, T, R) {                                   \
    HET_VENDOR(cusolverDn##S##syev##dx, jobz, range, uplo, n, A, lda, vl, vu, il, iu,    \
               meig, W, work, lwork, info);                                              \
    Index found = 0;                                                                     \
    return tellCount(meig ? syevdx(handle, jobz, uplo, Range<R>{range, vl, vu, il, iu},  \
                                   n, A, lda, W, &found, info)                           \
                          : check(handle, false),                                        \
                     found, meig);                                                       \
  }                                                                                      \
  HET_CUSOLVER_SYGVDX_SIZE(cusolverDn##S##sygv##dx_bufferSize, T, R) {                   \
    HET_VENDOR(cusolverDn##S##sygv##dx_bufferSize, itype, jobz, range, uplo, n, A, lda,  \
               B, ldb, vl, vu, il, iu, meig, W, lwork);                                  \
    return tellSize(handle, isPair(itype, jobz, uplo, n, lda, ldb), lwork);              \
  }                                                                                      \
  HET_CUSOLVER_SYGVDX(cusolverDn##S##sygv##dx, T, R) {                                   \
    HET_VENDOR(cusolverDn##S##sygv##dx, itype, jobz, range, uplo, n, A, lda, B, ldb, vl, \
               vu, il, iu, meig, W, work, lwork, info);                                  \
    return sygvdx(handle, itype, jobz, uplo, Range<R>{range, vl, vu, il, iu}, n, A, lda, \
                  B, ldb, W, meig, info);                                                \
  }                                                                                      \
  template cusolverStatus_t het::solver::syevdx<T, R>(                                   \
      cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, const Range<R> &, Index,  \
      T *, Index, R *, Index *, int *);
HET_SOLVER_TYPES(HET_GENERALISED)
