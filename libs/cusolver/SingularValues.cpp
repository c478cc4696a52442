// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values, by one-sided Jacobi's method whatever the name of the function. Of a
// matrix with more columns than rows the conjugate transposed one is taken. U is
// completed by QR factors, since columns of it are zero where values are.

#include "Library.h"

#include <utility>

using namespace het::solver;

namespace {

/// A = U diag(s) V^H of a matrix with m >= n, in memory of the call: U of `wanted`
/// columns, or none, and V.
template <class K> struct Decomposition {
  Index m, n, wanted;
  Matrices<K> a;       ///< A copy that is overwritten.
  Matrices<K> full, v; ///< Results.
  K *work, *tau;
};

template <class K>
Decomposition<K> prepare(Memory &memory, Index m, Index n, Index wanted) {
  const auto matrix = [&](Index rows, Index columns) {
    return Matrices<K>{memory.get<K>(rows * columns), nullptr, rows > 0 ? rows : 1, 0};
  };
  return {m,
          n,
          wanted,
          matrix(m, n),
          matrix(m, wanted),
          matrix(n, n),
          memory.get<K>((m + n) * n),
          memory.get<K>(n)};
}

template <class K>
Steps &decompose(Steps &steps, const Decomposition<K> &d, const JacobiInfo *how,
                 Real<K> *s, int *info, cudaStream_t stream) {
  const Iteration iteration = how ? how->iteration : Iteration();
  steps.then([&] {
    return findSingularValues(iteration, d.m, d.n, d.a, s, 0, d.v, d.work, info,
                              how ? how->progress : nullptr, 1, stream);
  });
  if (d.wanted == 0)
    return steps;
  Reflectors<K> r;
  r.m = d.m;
  r.n = d.wanted;
  r.count = d.n;
  r.vectors = d.a.base;
  r.leading = d.a.leading;
  r.tau = d.tau;
  r.c = d.full.base;
  r.leadingC = d.full.leading;
  return steps.then([&] { return factorQR(d.m, d.n, d.a, d.tau, stream); })
      .then([&] {
        return fill(Fill::Identity, false, d.m, d.wanted, d.full, {}, 1, stream);
      })
      .then([&] { return applyReflectors(r, stream); })
      .then([&] { return signColumns(d.m, d.n, d.full, d.a, 1, stream); });
}

/// Where the two sides go, and how many columns of them.
template <class T> struct Side {
  T *place;
  Index leading, columns; ///< 0: not wanted.
  bool turned;            ///< As its conjugate transposed matrix.
};

template <class T, class R>
cusolverStatus_t solve(cusolverDnHandle_t handle, const JacobiInfo *how, Index m, Index n,
                       const T *a, Index lda, R *s, Side<T> u, Side<T> v, int *info) {
  using K = Kernel<T>;
  const cudaStream_t stream = handle->stream;
  const bool wide = m < n;
  if (wide) { // A^H = V diag(s) U^H
    std::swap(u, v);
    std::swap(m, n);
  }
  Memory memory(stream);
  // Both sides are computed where one is wanted; V always is.
  const Decomposition<K> d = prepare<K>(memory, m, n, u.columns);
  Steps steps;
  steps.then([&] { return memory.status(); }).then([&] {
    return copy(wide, wide ? n : m, wide ? m : n, matrixOf(a, lda), d.a, 1, stream);
  });
  return decompose(steps, d, how, s, info, stream)
      .then([&] {
        return copy(u.turned, m, u.columns, d.full, matrixOf(u.place, u.leading), 1,
                    stream);
      })
      .then([&] {
        return copy(v.turned, n, v.columns, d.v, matrixOf(v.place, v.leading), 1, stream);
      })
      .status();
}

/// The number of columns that a letter of gesvd's asks for.
bool columnsOf(signed char job, Index rows, Index smaller, Index &columns) {
  columns = job == 'A' ? rows : job == 'S' ? smaller : 0;
  return job == 'A' || job == 'S' || job == 'N';
}

} // namespace

template <class T, class R>
cusolverStatus_t het::solver::gesvd(cusolverDnHandle_t handle, signed char jobu,
                                    signed char jobvt, Index m, Index n, T *a, Index lda,
                                    R *s, T *u, Index ldu, T *vt, Index ldvt, int *info) {
  const Index smaller = m < n ? m : n;
  if (handle && (jobu == 'O' || jobvt == 'O'))
    return refuse("cusolverDnXgesvd", "vectors in the place of A (job 'O')");
  Index columnsU = 0, columnsV = 0;
  const bool jobs =
      columnsOf(jobu, m, smaller, columnsU) && columnsOf(jobvt, n, smaller, columnsV);
  const cusolverStatus_t status = check(
      handle, jobs && m >= 0 && n >= 0 && holds(lda, m) && info &&
                  (!columnsU || holds(ldu, m)) && (!columnsV || holds(ldvt, columnsV)));
  return status != CUSOLVER_STATUS_SUCCESS
             ? status
             : solve<T, R>(handle, nullptr, m, n, a, lda, s, {u, ldu, columnsU, false},
                           {vt, ldvt, columnsV, true}, info);
}

namespace {

template <class T, class R>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                        Index m, Index n, const T *a, Index lda, R *s, T *u, Index ldu,
                        T *v, Index ldv, int *info, const JacobiInfo *how) {
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  const cusolverStatus_t status =
      check(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m) && info &&
                        (!vectors || (holds(ldu, m) && holds(ldv, n))));
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Index smaller = m < n ? m : n;
  return solve<T, R>(handle, how, m, n, a, lda, s,
                     {u, ldu, vectors ? (econ ? smaller : m) : 0, false},
                     {v, ldv, vectors ? (econ ? smaller : n) : 0, false}, info);
}

} // namespace

#define HET_SINGULAR_VALUES(P, T, R, org, orm, syev)                                     \
  HET_CUSOLVER_GESVD_SIZE(cusolverDn##P##gesvd_bufferSize) {                             \
    return tellSize(handle, m >= 0 && n >= 0, lwork);                                    \
  }                                                                                      \
  HET_CUSOLVER_GESVD(cusolverDn##P##gesvd, T, R) {                                       \
    return gesvd(handle, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, info);          \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ_SIZE(cusolverDn##P##gesvdj_bufferSize, T, R) {                     \
    return tellSize(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m), lwork);   \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ(cusolverDn##P##gesvdj, T, R) {                                     \
    return gesvdj(handle, jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, info, params);    \
  }                                                                                      \
  template cusolverStatus_t het::solver::gesvd<T, R>(                                    \
      cusolverDnHandle_t, signed char, signed char, Index, Index, T *, Index, R *, T *,  \
      Index, T *, Index, int *);
HET_SOLVER_TYPES(HET_SINGULAR_VALUES)
