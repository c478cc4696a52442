// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of Cholesky's, LU and QR factors. Golub, Van Loan: Matrix Computations, chapters
// 3.2, 4.2 and 5.2; of reflectors: Schreiber, Van Loan, A storage-efficient WY
// representation for products of Householder transformations.

#include "Blocked.h"
#include "Blas.h"

#include <algorithm>

namespace het::solver::blocked {
namespace {

/// Columns of a block.
constexpr Index width = 64, reflectorWidth = 32;

} // namespace

template <class T>
cudaError_t factorCholesky(cusolverDnHandle_t handle, cublasFillMode_t part, Index n,
                           Matrices<T> a, int *info) {
  const bool upper = part == CUBLAS_FILL_MODE_UPPER;
  const cudaStream_t stream = handle->stream;
  if (n <= width)
    return solver::factorCholesky(upper, n, a, 0, info, 1, stream);
  const Blas<T> blas(handle);
  const Index lda = a.leading;
  cudaError_t error = cudaSuccess;
  for (Index k = 0; k < n && error == cudaSuccess; k += width) {
    const Index size = std::min(width, n - k), next = k + size, rest = n - next;
    T *corner = a.base + k + k * lda, *behind = a.base + next + next * lda;
    error = solver::factorCholesky(upper, size, Matrices<T>{corner, nullptr, lda, 0}, k,
                                   info, 1, stream);
    T *side = upper ? corner + size * lda : corner + size;
    if (error == cudaSuccess)
      error = upper ? blas.trsm(CUBLAS_SIDE_LEFT, part, adjoint<T>, false, size, rest,
                                corner, lda, side, lda)
                    : blas.trsm(CUBLAS_SIDE_RIGHT, part, adjoint<T>, false, rest, size,
                                corner, lda, side, lda);
    if (error == cudaSuccess)
      error = blas.herk(part, upper ? adjoint<T> : CUBLAS_OP_N, rest, size, side, lda,
                        behind, lda);
  }
  return error;
}

template <class T>
cudaError_t factorLU(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a,
                     Pivots pivots, int *info) {
  const cudaStream_t stream = handle->stream;
  const Index steps = std::min(m, n), lda = a.leading;
  if (n <= width)
    return solver::factorLU(m, n, a, pivots, 0, info, stream);
  const Blas<T> blas(handle);
  cudaError_t error = cudaSuccess;
  const auto then = [&](const auto &launch) {
    if (error == cudaSuccess)
      error = launch();
  };
  const auto exchange = [&](Index column, Index columns, Index first, Index last) {
    return pivots.base ? exchangeRows(columns,
                                      Matrices<T>{a.base + column * lda, nullptr, lda, 0},
                                      pivots, first, last, 1, false, stream)
                       : cudaSuccess;
  };
  if (steps == 0)
    return setInfo(info, 0, 1, stream);
  for (Index k = 0; k < steps && error == cudaSuccess; k += width) {
    const Index size = std::min(width, steps - k), next = k + size, right = n - next;
    T *corner = a.base + k + k * lda, *row = corner + size * lda;
    const Matrices<T> block = {corner, nullptr, lda, 0};
    then([&] { return solver::factorLU(m - k, size, block, pivots, k, info, stream); });
    then([&] { return exchange(0, k, k, next); });
    then([&] { return exchange(next, right, k, next); });
    then([&] {
      return blas.trsm(CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, true, size,
                       right, corner, lda, row, lda);
    });
    then([&] {
      return blas.gemm(CUBLAS_OP_N, CUBLAS_OP_N, m - next, right, size, T(-1),
                       corner + size, lda, row, lda, T(1), row + size, lda);
    });
  }
  return error;
}

namespace {

/// Applies blocks of reflectors; its memory serves one block after the other.
template <class T> class Applier {
public:
  /// For blocks of `rows` at most that are applied to `lines` rows or columns.
  Applier(cusolverDnHandle_t handle, Index rows, Index lines)
      : stream(handle->stream), blas(handle), memory(stream),
        v(memory.get<T>(rows * reflectorWidth)),
        f(memory.get<T>(reflectorWidth * reflectorWidth)),
        products(memory.get<T>(std::max(lines, reflectorWidth) * reflectorWidth)),
        scaled(memory.get<T>(lines * reflectorWidth)) {}

  /// The reflectors of a block of columns below its corner.
  cudaError_t take(Index length, Index count, const T *corner, Index leading,
                   const T *tau) {
    rows = length;
    size = count;
    return Steps()
        .then([&] { return memory.status(); })
        .then([&] {
          return takeReflectors(rows, size,
                                Matrices<T>{const_cast<T *>(corner), nullptr, leading, 0},
                                v, stream);
        })
        .then([&] {
          return blas.gemm(adjoint<T>, CUBLAS_OP_N, size, size, rows, T(1), v, rows, v,
                           rows, T(0), products, size);
        })
        .then([&] { return joinReflectors(size, tau, products, f, stream); })
        .failure();
  }
  /// C = op(H) C for their product H; C has `columns` of `rows` numbers.
  cudaError_t applyLeft(bool conjugated, Index columns, T *c, Index ldc) const {
    return Steps()
        .then([&] {
          return blas.gemm(adjoint<T>, CUBLAS_OP_N, size, columns, rows, T(1), v, rows, c,
                           ldc, T(0), products, size);
        })
        .then([&] {
          return blas.gemm(conjugated ? adjoint<T> : CUBLAS_OP_N, CUBLAS_OP_N, size,
                           columns, size, T(1), f, size, products, size, T(0), scaled,
                           size);
        })
        .then([&] {
          return blas.gemm(CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, size, T(-1), v, rows,
                           scaled, size, T(1), c, ldc);
        })
        .failure();
  }
  /// C = C op(H); C has `lines` rows.
  cudaError_t applyRight(bool conjugated, Index lines, T *c, Index ldc) const {
    return Steps()
        .then([&] {
          return blas.gemm(CUBLAS_OP_N, CUBLAS_OP_N, lines, size, rows, T(1), c, ldc, v,
                           rows, T(0), products, lines);
        })
        .then([&] {
          return blas.gemm(CUBLAS_OP_N, conjugated ? adjoint<T> : CUBLAS_OP_N, lines,
                           size, size, T(1), products, lines, f, size, T(0), scaled,
                           lines);
        })
        .then([&] {
          return blas.gemm(CUBLAS_OP_N, adjoint<T>, lines, rows, size, T(-1), scaled,
                           lines, v, rows, T(1), c, ldc);
        })
        .failure();
  }

private:
  cudaStream_t stream;
  Blas<T> blas;
  Memory memory;
  T *v, *f, *products, *scaled;
  Index rows = 0, size = 0;
};

} // namespace

template <class T>
cudaError_t factorQR(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, T *tau) {
  const cudaStream_t stream = handle->stream;
  if (n <= reflectorWidth)
    return solver::factorQR(m, n, a, tau, stream);
  const Index steps = std::min(m, n), lda = a.leading;
  Applier<T> applier(handle, m, n);
  cudaError_t error = cudaSuccess;
  for (Index k = 0; k < steps && error == cudaSuccess; k += reflectorWidth) {
    const Index size = std::min(reflectorWidth, steps - k), right = n - k - size;
    T *corner = a.base + k + k * lda;
    error = solver::factorQR(m - k, size, Matrices<T>{corner, nullptr, lda, 0}, tau + k,
                             stream);
    if (right == 0)
      break;
    if (error == cudaSuccess)
      error = applier.take(m - k, size, corner, lda, tau + k);
    if (error == cudaSuccess)
      error = applier.applyLeft(true, right, corner + size * lda, lda);
  }
  return error;
}

template <class T>
cudaError_t applyReflectors(cusolverDnHandle_t handle, const Reflectors<T> &r,
                            bool identity) {
  const Index length = r.left ? r.m : r.n, lines = r.left ? r.n : r.m;
  if (r.count == 0 || lines == 0)
    return cudaSuccess;
  if (length <= reflectorWidth || r.count <= 4)
    return solver::applyReflectors(r, handle->stream);
  const bool forward = r.left == r.conjugated;
  const Index blocks = (r.count + reflectorWidth - 1) / reflectorWidth;
  Applier<T> applier(handle, length, lines);
  cudaError_t error = cudaSuccess;
  for (Index number = 0; number < blocks && error == cudaSuccess; ++number) {
    const Index k = (forward ? number : blocks - 1 - number) * reflectorWidth,
                size = std::min(reflectorWidth, r.count - k);
    error = applier.take(length - k, size, r.vectors + k + k * r.leading, r.leading,
                         r.tau + k);
    if (error != cudaSuccess)
      break;
    if (!r.left)
      error = applier.applyRight(r.conjugated, lines, r.c + k * r.leadingC, r.leadingC);
    else if (identity)
      error = applier.applyLeft(r.conjugated, lines - k, r.c + k + k * r.leadingC,
                                r.leadingC);
    else
      error = applier.applyLeft(r.conjugated, lines, r.c + k, r.leadingC);
  }
  return error;
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t factorCholesky<T>(cusolverDnHandle_t, cublasFillMode_t, Index,    \
                                         Matrices<T>, int *);                            \
  template cudaError_t factorLU<T>(cusolverDnHandle_t, Index, Index, Matrices<T>,        \
                                   Pivots, int *);                                       \
  template cudaError_t factorQR<T>(cusolverDnHandle_t, Index, Index, Matrices<T>, T *);  \
  template cudaError_t applyReflectors<T>(cusolverDnHandle_t, const Reflectors<T> &,     \
                                          bool);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver::blocked
