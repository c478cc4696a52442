// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QR factors, and products with their orthogonal matrix.

#include "Blocked.h"
#include "Host.h"
#include "Vendor.h"

using namespace het::solver;

namespace {

template <class T>
cusolverStatus_t ormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                       cublasOperation_t trans, Index m, Index n, Index k, const T *a,
                       Index lda, const T *tau, T *c, Index ldc, int *info) {
  using K = Kernel<T>;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const cusolverStatus_t status =
      check(handle, (left || side == CUBLAS_SIDE_RIGHT) &&
                        (trans == CUBLAS_OP_N || trans == CUBLAS_OP_C ||
                         (trans == CUBLAS_OP_T && !isComplex<K>)) &&
                        m >= 0 && n >= 0 && k >= 0 && k <= (left ? m : n) &&
                        holds(lda, left ? m : n) && holds(ldc, m) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  Reflectors<K> r;
  r.left = left;
  r.conjugated = trans != CUBLAS_OP_N;
  r.m = m;
  r.n = n;
  r.count = k;
  r.vectors = plain(a);
  r.leading = lda;
  r.tau = plain(tau);
  r.c = plain(c);
  r.leadingC = ldc;
  if (const auto answer = host::ormqr(handle, r, info))
    return *answer;
  return Steps()
      .then([&] { return blocked::applyReflectors(handle, r); })
      .then([&] { return setInfo(info, 0, 1, handle->stream); })
      .status();
}

/// The first columns of Q: reflectors are kept apart while it takes their place.
template <class T>
cusolverStatus_t orgqr(cusolverDnHandle_t handle, Index m, Index n, Index k, T *a,
                       Index lda, const T *tau, int *info) {
  using K = Kernel<T>;
  const cusolverStatus_t status = check(handle, m >= 0 && n >= 0 && n <= m && k >= 0 &&
                                                    k <= n && holds(lda, m) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (const auto answer =
          host::orgqr(handle, m, n, k, matrixOf(a, lda), plain(tau), info))
    return *answer;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  const Matrices<K> kept = {memory.get<K>(m * k), nullptr, m > 0 ? m : 1, 0},
                    own = matrixOf(a, lda);
  Reflectors<K> r;
  r.m = m;
  r.n = n;
  r.count = k;
  r.vectors = kept.base;
  r.leading = kept.leading;
  r.tau = plain(tau);
  r.c = own.base;
  r.leadingC = lda;
  return Steps()
      .then([&] { return memory.status(); })
      .then([&] { return copy(false, m, k, own, kept, 1, stream); })
      .then([&] { return fill(Fill::Identity, false, m, n, own, {}, 1, stream); })
      .then([&] { return blocked::applyReflectors(handle, r, true); })
      .then([&] { return setInfo(info, 0, 1, stream); })
      .status();
}

} // namespace

template <class T>
cusolverStatus_t het::solver::geqrf(cusolverDnHandle_t handle, Index m, Index n, T *a,
                                    Index lda, T *tau, int *info) {
  const cusolverStatus_t status =
      check(handle, m >= 0 && n >= 0 && holds(lda, m) && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Matrices<Kernel<T>> matrix = matrixOf(a, lda);
  if (const auto answer = host::geqrf(handle, m, n, matrix, plain(tau), info))
    return *answer;
  return Steps()
      .then([&] { return blocked::factorQR(handle, m, n, matrix, plain(tau)); })
      .then([&] { return setInfo(info, 0, 1, handle->stream); })
      .status();
}

#define HET_ORTHOGONAL(S, T, R, org, orm, syev, sygv)                                    \
  /* Programs that NVIDIA's takes say another leading dimension than later. */           \
  HET_CUSOLVER_GETRF_SIZE(cusolverDn##S##geqrf_bufferSize, T) {                          \
    HET_VENDOR(cusolverDn##S##geqrf_bufferSize, m, n, A, lda, Lwork);                    \
    return tellSize(handle, m >= 0 && n >= 0, Lwork);                                    \
  }                                                                                      \
  HET_CUSOLVER_GEQRF(cusolverDn##S##geqrf, T) {                                          \
    HET_VENDOR(cusolverDn##S##geqrf, m, n, A, lda, TAU, Workspace, Lwork, devInfo);      \
    return geqrf(handle, m, n, A, lda, TAU, devInfo);                                    \
  }                                                                                      \
  HET_CUSOLVER_ORGQR_SIZE(cusolverDn##S##org##qr_bufferSize, T) {                        \
    HET_VENDOR(cusolverDn##S##org##qr_bufferSize, m, n, k, A, lda, tau, lwork);          \
    return tellSize(handle, m >= 0 && n >= 0 && k >= 0, lwork);                          \
  }                                                                                      \
  HET_CUSOLVER_ORGQR(cusolverDn##S##org##qr, T) {                                        \
    HET_VENDOR(cusolverDn##S##org##qr, m, n, k, A, lda, tau, work, lwork, info);         \
    return orgqr(handle, m, n, k, A, lda, tau, info);                                    \
  }                                                                                      \
  HET_CUSOLVER_ORMQR_SIZE(cusolverDn##S##orm##qr_bufferSize, T) {                        \
    HET_VENDOR(cusolverDn##S##orm##qr_bufferSize, side, trans, m, n, k, A, lda, tau, C,  \
               ldc, lwork);                                                              \
    return tellSize(handle, m >= 0 && n >= 0 && k >= 0, lwork);                          \
  }                                                                                      \
  HET_CUSOLVER_ORMQR(cusolverDn##S##orm##qr, T) {                                        \
    HET_VENDOR(cusolverDn##S##orm##qr, side, trans, m, n, k, A, lda, tau, C, ldc, work,  \
               lwork, devInfo);                                                          \
    return ormqr(handle, side, trans, m, n, k, A, lda, tau, C, ldc, devInfo);            \
  }                                                                                      \
  template cusolverStatus_t het::solver::geqrf<T>(cusolverDnHandle_t, Index, Index, T *, \
                                                  Index, T *, int *);
HET_SOLVER_TYPES(HET_ORTHOGONAL)
