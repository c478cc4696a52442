// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systems of equations and least squares whose factors may be of a narrower type. Here
// they are of the numbers' own, so nothing is refined and no iterations are reported.

#include "Library.h"

using namespace het::solver;

namespace {

template <class T>
cusolverStatus_t gesv(cusolverDnHandle_t handle, Index n, Index columns, T *a, Index lda,
                      int *pivots, const T *b, Index ldb, T *x, Index ldx,
                      int *iterations, int *info) {
  const cusolverStatus_t status =
      check(handle, n >= 0 && columns >= 0 && holds(lda, n) && holds(ldb, n) &&
                        holds(ldx, n) && iterations && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  *iterations = 0;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  // Pivots are needed even where the program wants none.
  const Pivots places = {pivots ? pivots : memory.get<int>(n), false};
  int *ignored = memory.get<int>(1);
  const cusolverStatus_t copied =
      Steps()
          .then([&] { return memory.status(); })
          .then([&] {
            return copy(false, n, columns, matrixOf(b, ldb), matrixOf(x, ldx), 1, stream);
          })
          .status();
  if (copied != CUSOLVER_STATUS_SUCCESS)
    return copied;
  const cusolverStatus_t factored = getrf(handle, n, n, a, lda, places, info);
  return factored != CUSOLVER_STATUS_SUCCESS
             ? factored
             : getrs(handle, CUBLAS_OP_N, n, columns, a, lda, places, x, ldx, ignored);
}

template <class T>
cusolverStatus_t gels(cusolverDnHandle_t handle, Index m, Index n, Index columns, T *a,
                      Index lda, const T *b, Index ldb, T *x, Index ldx, int *iterations,
                      int *info) {
  using K = Kernel<T>;
  const cusolverStatus_t status =
      check(handle, n >= 0 && m >= n && columns >= 0 && holds(lda, m) && holds(ldb, m) &&
                        holds(ldx, n) && iterations && info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  *iterations = 0;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  K *tau = memory.get<K>(n);
  const Matrices<K> right = {memory.get<K>(m * columns), nullptr, m > 0 ? m : 1, 0},
                    own = matrixOf(a, lda);
  Reflectors<K> r;
  r.conjugated = true;
  r.m = m;
  r.n = columns;
  r.count = n;
  r.vectors = own.base;
  r.leading = lda;
  r.tau = tau;
  r.c = right.base;
  r.leadingC = right.leading;
  return Steps()
      .then([&] { return memory.status(); })
      .then([&] { return copy(false, m, columns, matrixOf(b, ldb), right, 1, stream); })
      .then([&] { return factorQR(m, n, own, tau, stream); })
      .then([&] { return findSmallPivot(n, own, Real<K>(0), info, stream); })
      .then([&] { return applyReflectors(r, stream); })
      .then([&] {
        return solveTriangle({true, false, false, false}, n, columns, own, right, 1,
                             stream);
      })
      .then([&] { return copy(false, n, columns, right, matrixOf(x, ldx), 1, stream); })
      .status();
}

} // namespace

#define HET_REFINED(SN, T)                                                               \
  HET_CUSOLVER_GESV_SIZE(cusolverDn##SN##gesv_bufferSize, T) {                           \
    return tellSize(handle, n >= 0 && nrhs >= 0, lwork_bytes);                           \
  }                                                                                      \
  HET_CUSOLVER_GESV(cusolverDn##SN##gesv, T) {                                           \
    return gesv(handle, n, nrhs, dA, ldda, dipiv, dB, lddb, dX, lddx, iter, d_info);     \
  }                                                                                      \
  HET_CUSOLVER_GELS_SIZE(cusolverDn##SN##gels_bufferSize, T) {                           \
    return tellSize(handle, m >= 0 && n >= 0 && nrhs >= 0, lwork_bytes);                 \
  }                                                                                      \
  HET_CUSOLVER_GELS(cusolverDn##SN##gels, T) {                                           \
    return gels(handle, m, n, nrhs, dA, ldda, dB, lddb, dX, lddx, iter, d_info);         \
  }
HET_CUSOLVER_NARROWER_TYPES(HET_REFINED)

// Factors that nothing here makes.
#define HET_REFUSED(S, T, R, org, orm, syev, sygv)                                       \
  HET_CUSOLVER_GEBRD_SIZE(cusolverDn##S##gebrd_bufferSize) {                             \
    return refuse(__func__, "bidiagonal factors are not supported");                     \
  }                                                                                      \
  HET_CUSOLVER_GEBRD(cusolverDn##S##gebrd, T, R) {                                       \
    return refuse(__func__, "bidiagonal factors are not supported");                     \
  }                                                                                      \
  HET_CUSOLVER_SYTRF_SIZE(cusolverDn##S##sytrf_bufferSize, T) {                          \
    return refuse(__func__, "factors of indefinite matrices are not supported");         \
  }                                                                                      \
  HET_CUSOLVER_SYTRF(cusolverDn##S##sytrf, T) {                                          \
    return refuse(__func__, "factors of indefinite matrices are not supported");         \
  }
HET_SOLVER_TYPES(HET_REFUSED)
