// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systems of equations of sparse matrices. They are solved by a dense copy's factors, so
// a matrix takes the memory of n by n numbers whatever its elements are.

#include "Library.h"

using namespace het::solver;

namespace {

/// A system in memory of the call: the dense copy, and what pivots say.
template <class T> struct System {
  using K = Kernel<T>;
  Index n;
  Matrices<K> a;
  Matrices<K> x;
  int *info;
  cudaStream_t stream;
};

/// A = Q R, and x = R^-1 Q^H x.
template <class T, class R>
Steps &solveQR(Steps &steps, const System<T> &s, Memory &memory, R tolerance) {
  using K = Kernel<T>;
  Reflectors<K> r;
  r.conjugated = true;
  r.m = s.n;
  r.n = 1;
  r.count = s.n;
  r.vectors = s.a.base;
  r.leading = s.a.leading;
  K *tau = memory.get<K>(s.n);
  r.tau = tau;
  r.c = s.x.base;
  r.leadingC = s.x.leading;
  return steps.then([&] { return memory.status(); })
      .then([&] { return factorQR(s.n, s.n, s.a, tau, s.stream); })
      .then([&] { return findSmallPivot(s.n, s.a, tolerance, s.info, s.stream); })
      .then([&] { return applyReflectors(r, s.stream); })
      .then([&] {
        return solveTriangle({true, false, false, false}, s.n, 1, s.a, s.x, 1, s.stream);
      });
}
/// A = L L^H, of which the lower triangle is read.
template <class T> Steps &solveCholesky(Steps &steps, const System<T> &s) {
  steps.then([&] { return factorCholesky(false, s.n, s.a, 0, s.info, 1, s.stream); });
  for (const bool turned : {false, true})
    steps.then([&] {
      return solveTriangle({false, turned, turned, false}, s.n, 1, s.a, s.x, 1, s.stream);
    });
  return steps;
}

template <class T, class R>
cusolverStatus_t solve(bool symmetric, cusolverSpHandle_t handle, int n, int count,
                       cusparseMatDescr_t description, const T *values,
                       const int *offsets, const int *columns, const T *b, R tolerance,
                       T *x, int *singularity) {
  using K = Kernel<T>;
  const cusolverStatus_t status = check(
      handle, n >= 0 && count >= 0 && description && singularity && tolerance >= 0 &&
                  (!n || (offsets && b && x && (!count || (values && columns)))));
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (cusparseGetMatType(description) != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  *singularity = -1;
  if (!n)
    return CUSOLVER_STATUS_SUCCESS;
  const cudaStream_t stream = handle->stream;
  Memory memory(stream);
  const Index rows = n;
  const System<T> system = {rows,
                            {memory.get<K>(rows * rows), nullptr, rows, 0},
                            {plain(x), nullptr, rows, 0},
                            memory.get<int>(1),
                            stream};
  const CompressedRows<K> from = {rows, cusparseGetMatIndexBase(description), offsets,
                                  columns, plain(values)};
  Steps steps;
  steps.then([&] { return memory.status(); })
      .then([&] {
        return cudaMemsetAsync(system.a.base, 0,
                               static_cast<size_t>(rows * rows) * sizeof(K), stream);
      })
      .then([&] { return addRows(from, system.a, stream); })
      .then([&] {
        return x == b ? cudaSuccess
                      : cudaMemcpyAsync(x, b, static_cast<size_t>(n) * sizeof(T),
                                        cudaMemcpyDeviceToDevice, stream);
      });
  if (symmetric)
    solveCholesky(steps, system);
  else
    solveQR(steps, system, memory, tolerance);
  int info = 0;
  const cusolverStatus_t solved =
      steps
          .then([&] {
            return cudaMemcpyAsync(&info, system.info, sizeof(info),
                                   cudaMemcpyDeviceToHost, stream);
          })
          .then([&] { return cudaStreamSynchronize(stream); })
          .status();
  if (solved == CUSOLVER_STATUS_SUCCESS)
    *singularity = info - 1;
  return solved;
}

} // namespace

#define HET_SPARSE(S, T, R, org, orm, syev, sygv)                                        \
  HET_CUSOLVER_CSRLSV(cusolverSp##S##csrlsvqr, T, R) {                                   \
    return solve(false, handle, m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, x, \
                 singularity);                                                           \
  }                                                                                      \
  HET_CUSOLVER_CSRLSV(cusolverSp##S##csrlsvchol, T, R) {                                 \
    return solve(true, handle, m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, x,  \
                 singularity);                                                           \
  }                                                                                      \
  HET_CUSOLVER_CSREIGVSI(cusolverSp##S##csreigvsi, T, R) {                               \
    return refuse(__func__, "eigenvalues of sparse matrices are not supported");         \
  }
HET_SOLVER_TYPES(HET_SPARSE)
