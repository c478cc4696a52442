// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values, by one-sided Jacobi's method whatever the name of the function. Of a
// matrix with more columns than rows the conjugate transposed one is taken. U is
// completed by QR factors, since columns of it are zero where values are.

#include "Library.h"

#include <cmath>
#include <utility>

using namespace het::solver;

namespace {

/// How the method is to end, and where it says how it did.
struct Ending {
  Iteration iteration;
  Progress *progress = nullptr;
};

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
Steps &decompose(Steps &steps, const Decomposition<K> &d, const Ending &how, Real<K> *s,
                 int *info, cudaStream_t stream) {
  steps.then([&] {
    return findSingularValues(how.iteration, d.m, d.n, d.a, s, 0, d.v, d.work, info,
                              how.progress, 1, stream);
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
cusolverStatus_t solve(cusolverDnHandle_t handle, const Ending &how, Index m, Index n,
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

/// The number of columns that a letter of gesvd's asks for; `O` wants them in A's place.
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
  Index columnsU = 0, columnsV = 0;
  const bool jobs = (jobu != 'O' || jobvt != 'O') &&
                    columnsOf(jobu, m, smaller, columnsU) &&
                    columnsOf(jobvt, n, smaller, columnsV);
  if (jobu == 'O') { // A has been copied before it is written
    u = a;
    ldu = lda;
  } else if (jobvt == 'O') {
    vt = a;
    ldvt = lda;
  }
  const cusolverStatus_t status = check(
      handle, jobs && m >= 0 && n >= 0 && holds(lda, m) && info &&
                  (!columnsU || holds(ldu, m)) && (!columnsV || holds(ldvt, columnsV)));
  return status != CUSOLVER_STATUS_SUCCESS
             ? status
             : solve<T, R>(handle, {}, m, n, a, lda, s, {u, ldu, columnsU, false},
                           {vt, ldvt, columnsV, true}, info);
}

namespace {

template <class T, class R>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,
                        Index m, Index n, const T *a, Index lda, R *s, T *u, Index ldu,
                        T *v, Index ldv, int *info, const Ending &how) {
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

/// The place of a matrix behind others; none of none.
template <class T> T *behind(T *place, Index count) {
  return place ? place + count : nullptr;
}

/// One after another, each packed behind the one before.
template <class T, class R>
cusolverStatus_t gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, Index m,
                               Index n, const T *a, Index lda, R *s, T *u, Index ldu,
                               T *v, Index ldv, int *info, const JacobiInfo *how,
                               Index batch) {
  const Index smaller = m < n ? m : n;
  cusolverStatus_t status = check(handle, batch >= 0);
  for (Index i = 0; i < batch && status == CUSOLVER_STATUS_SUCCESS; ++i)
    status = gesvdj(handle, jobz, 0, m, n, a + i * lda * n, lda, s + i * smaller,
                    behind(u, i * ldu * m), ldu, behind(v, i * ldv * n), ldv, info + i,
                    {how ? how->iteration : Iteration(), nullptr});
  return status;
}

/// The greatest `rank` singular values of many matrices.
template <class T, class R> struct Approximation {
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
  double *residuals;
};

/// The length of what is left of each matrix: that of the values that are left out.
template <class R>
cudaError_t measure(const R *all, Index smaller, Index rank, double *residuals,
                    Index batch, cudaStream_t stream) {
  std::vector<R> values;
  try {
    values.resize(static_cast<size_t>(smaller * batch));
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  }
  cudaError_t error = cudaMemcpyAsync(values.data(), all, values.size() * sizeof(R),
                                      cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(stream);
  for (Index i = 0; i < batch && error == cudaSuccess; ++i) {
    double sum = 0;
    for (Index k = rank; k < smaller; ++k)
      sum += static_cast<double>(values[i * smaller + k]) * values[i * smaller + k];
    residuals[i] = std::sqrt(sum);
  }
  return error;
}

template <class T, class R>
cusolverStatus_t gesvda(cusolverDnHandle_t handle, const Approximation<T, R> &p,
                        Index batch) {
  const Index smaller = p.m < p.n ? p.m : p.n;
  const bool vectors = p.jobz == CUSOLVER_EIG_MODE_VECTOR;
  cusolverStatus_t status =
      check(handle, isMode(p.jobz) && p.m >= 0 && p.n >= 0 && p.rank >= 0 &&
                        p.rank <= smaller && batch >= 0 && holds(p.lda, p.m) &&
                        (!batch || p.info) &&
                        (!vectors || (holds(p.ldu, p.m) && holds(p.ldv, p.n))));
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  R *all = memory.get<R>(smaller * batch);
  status = convert(memory.status());
  const Index columns = vectors ? p.rank : 0;
  for (Index i = 0; i < batch && status == CUSOLVER_STATUS_SUCCESS; ++i)
    status =
        solve<T, R>(handle, {}, p.m, p.n, p.a + i * p.strideA, p.lda, all + i * smaller,
                    {behind(p.u, i * p.strideU), p.ldu, columns, false},
                    {behind(p.v, i * p.strideV), p.ldv, columns, false}, p.info + i);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return Steps()
      .then([&] {
        return p.rank && batch
                   ? cudaMemcpy2DAsync(
                         p.s,
                         static_cast<size_t>(p.strideS > p.rank ? p.strideS : p.rank) *
                             sizeof(R),
                         all, static_cast<size_t>(smaller) * sizeof(R),
                         static_cast<size_t>(p.rank) * sizeof(R),
                         static_cast<size_t>(batch), cudaMemcpyDeviceToDevice, stream)
                   : cudaSuccess;
      })
      .then([&] {
        return p.residuals ? measure(all, smaller, p.rank, p.residuals, batch, stream)
                           : cudaSuccess;
      })
      .status();
}

/// What a program's description says; the method's own otherwise.
Ending endingOf(const JacobiInfo *how) {
  return how ? Ending{how->iteration, how->progress} : Ending();
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
    return gesvdj(handle, jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, info,             \
                  endingOf(params));                                                     \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ_BATCHED_SIZE(cusolverDn##P##gesvdjBatched_bufferSize, T, R) {      \
    return tellSize(handle,                                                              \
                    isMode(jobz) && m >= 0 && n >= 0 && batchSize >= 0 && holds(lda, m), \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_GESVDJ_BATCHED(cusolverDn##P##gesvdjBatched, T, R) {                      \
    return gesvdjBatched(handle, jobz, m, n, A, lda, S, U, ldu, V, ldv, info, params,    \
                         batchSize);                                                     \
  }                                                                                      \
  HET_CUSOLVER_GESVDA_SIZE(cusolverDn##P##gesvdaStridedBatched_bufferSize, T, R) {       \
    return tellSize(handle,                                                              \
                    isMode(jobz) && m >= 0 && n >= 0 && rank >= 0 && batchSize >= 0 &&   \
                        holds(lda, m),                                                   \
                    lwork);                                                              \
  }                                                                                      \
  HET_CUSOLVER_GESVDA(cusolverDn##P##gesvdaStridedBatched, T, R) {                       \
    return gesvda<T, R>(handle,                                                          \
                        {jobz, rank, m, n, d_A, lda, strideA, d_S, strideS, d_U, ldu,    \
                         strideU, d_V, ldv, strideV, d_info, h_R_nrmF},                  \
                        batchSize);                                                      \
  }                                                                                      \
  template cusolverStatus_t het::solver::gesvd<T, R>(                                    \
      cusolverDnHandle_t, signed char, signed char, Index, Index, T *, Index, R *, T *,  \
      Index, T *, Index, int *);
HET_SOLVER_TYPES(HET_SINGULAR_VALUES)
