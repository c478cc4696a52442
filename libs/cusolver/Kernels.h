// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of cuSOLVER's dense functions, and what they are given. T is float, double,
// Complex32 or Complex64. A launch only puts work into a stream.

#ifndef HET_LIBS_CUSOLVER_KERNELS_H
#define HET_LIBS_CUSOLVER_KERNELS_H

#include "../cublas/Numbers.h"

#include <driver_types.h>

namespace het::solver {

using blas::Complex32;
using blas::Complex64;
using blas::conjugate;
using blas::isComplex;
using blas::Kernel;
using blas::Real;
using libs::Index;

/// Matrices by columns: one each `stride` elements, or each where `array` says.
template <class T> struct Matrices {
  T *base = nullptr;
  T *const *array = nullptr; ///< On the device.
  Index leading = 1, stride = 0;
};

/// Pivots of 32 or 64 bits, counted from 1.
struct Pivots {
  void *base = nullptr;
  bool wide = false;
};

/// A = L L^H (`upper`: U^H U) in place; `info`: the first leading minor that is not
/// positive, from 1. With `first`, A is the block from that row on of a greater matrix:
/// `info` counts in that, and nothing is done if it says a failure already.
template <class T>
cudaError_t factorCholesky(bool upper, Index n, Matrices<T> a, Index first, int *info,
                           Index batch, cudaStream_t stream);
/// A = P L U in place; no rows are exchanged without pivots. `info`: the first zero on
/// U's diagonal, from 1. With `first`, A is such a block; pivots count in the greater
/// matrix, and an earlier `info` stays.
template <class T>
cudaError_t factorLU(Index m, Index n, Matrices<T> a, Pivots pivots, Index first,
                     int *info, cudaStream_t stream);

/// Solves op(A) X = B in place for a triangle.
struct TriangleKind {
  bool upper = false, transposed = false, conjugated = false, unit = false;
};
template <class T>
cudaError_t solveTriangle(TriangleKind kind, Index n, Index columns, Matrices<T> a,
                          Matrices<T> b, Index batch, cudaStream_t stream);
/// Exchanges rows of A as the pivots from `first` up to `last` (from 0) say, or undoes
/// it.
template <class T>
cudaError_t exchangeRows(Index columns, Matrices<T> a, Pivots pivots, Index first,
                         Index last, Index step, bool undo, cudaStream_t stream);

/// A = Q R in place, as LAPACK has it: reflectors below R, their factors in `tau`.
template <class T>
cudaError_t factorQR(Index m, Index n, Matrices<T> a, T *tau, cudaStream_t stream);
/// C = op(Q) C, or C op(Q), by `count` reflectors.
template <class T> struct Reflectors {
  bool left = true, conjugated = false;
  Index m = 0, n = 0, count = 0;
  const T *vectors = nullptr;
  Index leading = 1;
  const T *tau = nullptr;
  T *c = nullptr;
  Index leadingC = 1;
};
template <class T>
cudaError_t applyReflectors(const Reflectors<T> &reflectors, cudaStream_t stream);
/// The reflectors of a block of columns, m by n, as a matrix V of their own: with ones on
/// the diagonal and zeros above.
template <class T>
cudaError_t takeReflectors(Index m, Index n, Matrices<T> a, T *v, cudaStream_t stream);
/// The triangle F, n by n, with which their product is I - V F V^H; `products` is V^H V.
template <class T>
cudaError_t joinReflectors(Index n, const T *tau, const T *products, T *f,
                           cudaStream_t stream);

/// Elements of a matrix, one after another.
enum class Fill : int {
  Identity,
  CopyTriangle, ///< From another one: `upper` or lower.
  CopyInside,   ///< Of that what is not on the diagonal.
  Mirror,       ///< The other triangle, conjugated; the diagonal is real.
};
template <class T>
cudaError_t fill(Fill how, bool upper, Index m, Index n, Matrices<T> a, Matrices<T> from,
                 Index batch, cudaStream_t stream);
/// B = A, or A^H.
template <class T>
cudaError_t copy(bool conjugateTransposed, Index m, Index n, Matrices<T> from,
                 Matrices<T> to, Index batch, cudaStream_t stream);
/// A's columns times the signs of R's diagonal.
template <class T>
cudaError_t signColumns(Index m, Index n, Matrices<T> a, Matrices<T> r, Index batch,
                        cudaStream_t stream);
cudaError_t setInfo(int *info, int value, Index count, cudaStream_t stream);
/// `info`: the first element of A's diagonal whose absolute value is at most `tolerance`,
/// from 1; 0 where there is none.
template <class T>
cudaError_t findSmallPivot(Index n, Matrices<T> a, Real<T> tolerance, int *info,
                           cudaStream_t stream);
/// Adds the elements of a matrix of compressed rows to A.
template <class T> struct CompressedRows {
  Index rows = 0;
  int base = 0; ///< Of indices.
  const int *offsets = nullptr, *columns = nullptr;
  const T *values = nullptr;
};
template <class T>
cudaError_t addRows(const CompressedRows<T> &from, Matrices<T> a, cudaStream_t stream);
/// Adds a failure of another step to `info`, which it comes before: as n + its number.
cudaError_t joinInfo(int *info, const int *other, Index n, cudaStream_t stream);
/// `info`: the first zero of the first n on the diagonal, from 1.
template <class T>
cudaError_t findZero(Index n, Matrices<T> a, int *info, cudaStream_t stream);

/// How Jacobi's method ends.
struct Iteration {
  double tolerance = 0; ///< 0: by the precision.
  int maxSweeps = 100;
  bool sorted = true;
};
/// How it has ended: the sweeps of the first matrix, and the length of what was left of
/// the elements that are to become zero.
struct Progress {
  double residual;
  int sweeps;
};
/// Eigenvalues of Hermitian matrices, both triangles of which are there; A is their
/// vectors afterwards. `v` has room for n by n numbers of each. `info`: n + 1 where it
/// has not converged.
template <class T>
cudaError_t findEigenvalues(const Iteration &iteration, bool vectors, Index n,
                            Matrices<T> a, Real<T> *w, T *v, int *info,
                            Progress *progress, Index batch, cudaStream_t stream);
/// Singular values of matrices with m >= n. A is U afterwards, with zero columns for
/// zero values, and v is V, n by n each.
template <class T>
cudaError_t findSingularValues(const Iteration &iteration, Index m, Index n,
                               Matrices<T> a, Real<T> *s, Index strideS, Matrices<T> v,
                               T *work, int *info, Progress *progress, Index batch,
                               cudaStream_t stream);

#define HET_FOR_EACH_TYPE(make) make(float) make(double) make(Complex32) make(Complex64)

} // namespace het::solver

#endif // HET_LIBS_CUSOLVER_KERNELS_H
