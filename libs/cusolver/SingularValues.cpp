// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values: by kernels with one-sided Jacobi's method, whatever the name. Of a
// matrix with more columns than rows the conjugate transposed one is taken. U is
// completed by QR factors, since columns of it are zero where values are.

#include "Blocked.h"
#include "Host.h"
#include "Vendor.h"

#include <cmath>
#include <utility>

using namespace het::solver;
using het::solver::host::Side;

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
Steps &decompose(Steps &steps, cusolverDnHandle_t handle, const Decomposition<K> &d,
                 const JacobiInfo *how, Real<K> *s, int *info) {
  const cudaStream_t stream = handle->stream;
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
  return steps.then([&] { return blocked::factorQR(handle, d.m, d.n, d.a, d.tau); })
      .then([&] {
        return fill(Fill::Identity, false, d.m, d.wanted, d.full, {}, 1, stream);
      })
      .then([&] { return blocked::applyReflectors(handle, r, true); })
      .then([&] { return signColumns(d.m, d.n, d.full, d.a, 1, stream); });
}

template <class T, class R>
cusolverStatus_t solve(cusolverDnHandle_t handle, JacobiInfo *how, Index m, Index n,
                       const T *a, Index lda, R *s, Side<Kernel<T>> u, Side<Kernel<T>> v,
                       int *info) {
  using K = Kernel<T>;
  const cudaStream_t stream = handle->stream;
  if (how)
    how->isVendors = false;
  if (!how || endsByTolerance(how->iteration))
    if (const auto answer = host::gesvd(handle, m, n, matrixOf(a, lda), s, u, v, info,
                                        how ? how->progress : nullptr))
      return *answer;
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
  return decompose(steps, handle, d, how, s, info)
      .then([&] {
        return copy(u.turned, m, u.columns, d.full,
                    Matrices<K>{u.place, nullptr, u.leading, 0}, 1, stream);
      })
      .then([&] {
        return copy(v.turned, n, v.columns, d.v,
                    Matrices<K>{v.place, nullptr, v.leading, 0}, 1, stream);
      })
      .status();
}

/// The number of columns that a letter of gesvd's asks for.
bool columnsOf(signed char job, Index rows, Index smaller, Index &columns) {
  columns = job == 'A' ? rows : job == 'S' || job == 'O' ? smaller : 0;
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

} // namespace

template <class T, class R>
cusolverStatus_t het::solver::gesvd(cusolverDnHandle_t handle, signed char jobu,
                                    signed char jobvt, Index m, Index n, T *a, Index lda,
                                    R *s, T *u, Index ldu, T *vt, Index ldvt, int *info) {
  const Index smaller = m < n ? m : n;
  // One of the sides may take A's place.
  if (jobu == 'O') {
    u = a;
    ldu = lda;
  }
  if (jobvt == 'O') {
    vt = a;
    ldvt = lda;
  }
  Index columnsU = 0, columnsV = 0;
  const bool jobs =
      columnsOf(jobu, m, smaller, columnsU) && columnsOf(jobvt, n, smaller, columnsV);
  const cusolverStatus_t status =
      check(handle, jobs && !(jobu == 'O' && jobvt == 'O') && m >= 0 && n >= 0 &&
                        holds(lda, m) && info && (!columnsU || holds(ldu, m)) &&
                        (!columnsV || holds(ldvt, columnsV)));
  return status != CUSOLVER_STATUS_SUCCESS
             ? status
             : solve<T, R>(handle, nullptr, m, n, a, lda, s,
                           {plain(u), ldu, columnsU, false},
                           {plain(vt), ldvt, columnsV, true}, info);
}

template <class T, class R>
cusolverStatus_t het::solver::gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                     bool economic, Index m, Index n, const T *a,
                                     Index lda, R *s, T *u, Index ldu, T *v, Index ldv,
                                     int *info, JacobiInfo *how) {
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  const cusolverStatus_t status =
      check(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m) && info &&
                        (!vectors || (holds(ldu, m) && holds(ldv, n))));
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const Index smaller = m < n ? m : n;
  return solve<T, R>(handle, how, m, n, a, lda, s,
                     {plain(u), ldu, vectors ? (economic ? smaller : m) : 0, false},
                     {plain(v), ldv, vectors ? (economic ? smaller : n) : 0, false},
                     info);
}

namespace {

/// Many matrices one behind the other.
template <class T, class R>
cusolverStatus_t gesvdjMany(cusolverDnHandle_t handle, cusolverEigMode_t jobz, Index m,
                            Index n, const T *a, Index lda, R *s, T *u, Index ldu, T *v,
                            Index ldv, int *info, JacobiInfo *how, Index batch) {
  cusolverStatus_t status = check(handle, batch >= 0);
  for (Index i = 0; i < batch && status == CUSOLVER_STATUS_SUCCESS; ++i)
    status =
        gesvdj(handle, jobz, false, m, n, a + i * lda * n, lda, s + i * (m < n ? m : n),
               u + i * ldu * m, ldu, v + i * ldv * n, ldv, info + i, how);
  return status;
}

/// The greatest `rank` singular values of many matrices, which are computed with all.
template <class T, class R> struct Greatest {
  cusolverDnHandle_t handle;
  cusolverEigMode_t jobz;
  Index rank, m, n;
  const T *a;
  Index lda, strideA;
  R *s;
  Index strideS;
  T *u;
  Index ldu, strideU;
  T *v;
  Index ldv, strideV;
  int *info;
  double *rest; ///< In the program's memory: the length of what is left out.
  Index batch;

  bool isValid() const {
    const Index smaller = m < n ? m : n;
    return isMode(jobz) && m >= 0 && n >= 0 && rank >= 0 && rank <= smaller &&
           batch >= 0 && holds(lda, m) && info &&
           (jobz == CUSOLVER_EIG_MODE_NOVECTOR || (holds(ldu, m) && holds(ldv, n)));
  }
  cusolverStatus_t solveOne(Index i, R *all, T *fullU, T *fullV) const {
    const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    const cudaStream_t stream = handle->stream;
    const cusolverStatus_t status =
        gesvdj(handle, jobz, true, m, n, a + i * strideA, lda, all, fullU, m > 0 ? m : 1,
               fullV, n > 0 ? n : 1, info + i, nullptr);
    if (status != CUSOLVER_STATUS_SUCCESS)
      return status;
    const auto take = [&](auto *from, Index rows, auto *to, Index leading) {
      return copy(false, rows, vectors ? rank : 0, matrixOf(from, rows > 0 ? rows : 1),
                  matrixOf(to, leading), 1, stream);
    };
    return Steps()
        .then([&] { return take(fullU, m, u + i * strideU, ldu); })
        .then([&] { return take(fullV, n, v + i * strideV, ldv); })
        .then([&] {
          return copy(false, rank, 1, matrixOf(all, rank > 0 ? rank : 1),
                      matrixOf(s + i * strideS, rank > 0 ? rank : 1), 1, stream);
        })
        .then([&] { return rest ? measure(all, rest[i]) : cudaSuccess; })
        .status();
  }
  cusolverStatus_t solveAll() const {
    const cusolverStatus_t status = check(handle, isValid());
    if (status != CUSOLVER_STATUS_SUCCESS)
      return status;
    const Index smaller = m < n ? m : n;
    Memory memory(handle->stream);
    R *all = memory.get<R>(smaller);
    T *fullU = memory.get<T>(m * smaller), *fullV = memory.get<T>(n * smaller);
    cusolverStatus_t result = convert(memory.status());
    for (Index i = 0; i < batch && result == CUSOLVER_STATUS_SUCCESS; ++i)
      result = solveOne(i, all, fullU, fullV);
    return result;
  }

private:
  /// Waits for the values.
  cudaError_t measure(const R *all, double &length) const {
    std::vector<R> values(static_cast<size_t>(m < n ? m : n));
    cudaError_t error = cudaMemcpyAsync(values.data(), all, values.size() * sizeof(R),
                                        cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess)
      error = cudaStreamSynchronize(handle->stream);
    double sum = 0;
    for (size_t i = static_cast<size_t>(rank); i < values.size(); ++i)
      sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    length = std::sqrt(sum);
    return error;
  }
};

} // namespace

#define HET_SINGULAR_VALUES(P, T, R, org, orm, syev, sygv)                               \
  HET_CUSOLVER_GESVD_SIZE(cusolverDn##P##gesvd_bufferSize) {                             \
    HET_VENDOR(cusolverDn##P##gesvd_bufferSize, m, n, lwork);                            \
    return tellSize(handle, m >= 0 && n >= 0, lwork);                                    \
  }                                                                                      \
  HET_CUSOLVER_GESVD(cusolverDn##P##gesvd, T, R) {                                       \
    HET_VENDOR(cusolverDn##P##gesvd, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt,     \
               work, lwork, rwork, info);                                                \
    return gesvd(handle, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, info);          \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ_SIZE(cusolverDn##P##gesvdj_bufferSize, T, R) {                     \
    HET_VENDOR(cusolverDn##P##gesvdj_bufferSize, jobz, econ, m, n, A, lda, S, U, ldu, V, \
               ldv, lwork, vendorsOf(handle, params));                                   \
    return tellSize(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m), lwork);   \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ(cusolverDn##P##gesvdj, T, R) {                                     \
    HET_VENDOR(cusolverDn##P##gesvdj, jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, work, \
               lwork, info, vendorsOf(handle, params));                                  \
    return gesvdj(handle, jobz, econ != 0, m, n, A, lda, S, U, ldu, V, ldv, info,        \
                  params);                                                               \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ_BATCHED_SIZE(cusolverDn##P##gesvdjBatched_bufferSize, T, R) {      \
    HET_VENDOR(cusolverDn##P##gesvdjBatched_bufferSize, jobz, m, n, A, lda, S, U, ldu,   \
               V, ldv, lwork, vendorsOf(handle, params), batchSize);                     \
    return tellSize(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m), lwork);   \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ_BATCHED(cusolverDn##P##gesvdjBatched, T, R) {                      \
    HET_VENDOR(cusolverDn##P##gesvdjBatched, jobz, m, n, A, lda, S, U, ldu, V, ldv,      \
               work, lwork, info, vendorsOf(handle, params), batchSize);                 \
    return gesvdjMany(handle, jobz, m, n, A, lda, S, U, ldu, V, ldv, info, params,       \
                      batchSize);                                                        \
  }                                                                                      \
  HET_CUSOLVER_GESVDA_SIZE(cusolverDn##P##gesvdaStridedBatched_bufferSize, T, R) {       \
    HET_VENDOR(cusolverDn##P##gesvdaStridedBatched_bufferSize, jobz, rank, m, n, A, lda, \
               strideA, S, strideS, U, ldu, strideU, V, ldv, strideV, lwork, batchSize); \
    return tellSize(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m), lwork);   \
  }                                                                                      \
  HET_CUSOLVER_GESVDA(cusolverDn##P##gesvdaStridedBatched, T, R) {                       \
    HET_VENDOR(cusolverDn##P##gesvdaStridedBatched, jobz, rank, m, n, A, lda, strideA,   \
               S, strideS, U, ldu, strideU, V, ldv, strideV, work, lwork, info,          \
               h_R_nrmF, batchSize);                                                     \
    return Greatest<T, R>{handle,  jobz,    rank,    m,        n,        A,       lda,   \
                          strideA, S,       strideS, U,        ldu,      strideU, V,     \
                          ldv,     strideV, info,    h_R_nrmF, batchSize}                \
        .solveAll();                                                                     \
  }                                                                                      \
  template cusolverStatus_t het::solver::gesvd<T, R>(                                    \
      cusolverDnHandle_t, signed char, signed char, Index, Index, T *, Index, R *, T *,  \
      Index, T *, Index, int *);                                                         \
  template cusolverStatus_t het::solver::gesvdj<T, R>(                                   \
      cusolverDnHandle_t, cusolverEigMode_t, bool, Index, Index, const T *, Index, R *,  \
      T *, Index, T *, Index, int *, JacobiInfo *);
HET_SOLVER_TYPES(HET_SINGULAR_VALUES)
