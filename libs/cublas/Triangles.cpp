// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions of a triangle and a matrix (level 3). Equations are solved for a few
// rows at a time, whose solution is then taken off the other rows as a product.

#include "Triangles.h"
#include "HostBlas.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

Operand part(Operand a, Index row, Index column) {
  a.offset += row * a.rowStep + column * a.columnStep;
  return a;
}

struct Call {
  cublasHandle_t handle;
  cublasSideMode_t side;
  cublasFillMode_t part;
  cublasOperation_t trans;
  cublasDiagType_t diagonal;
  Index m, n, lda, ldb, batch = 1;
};

cublasStatus_t check(const Call &call, const void *alpha) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return isSide(call.side) && isPart(call.part) && isOperation(call.trans) &&
                 isDiagonal(call.diagonal) && call.m >= 0 && call.n >= 0 &&
                 call.batch >= 0 && alpha && holds(call.ldb, call.m) &&
                 holds(call.lda, call.side == CUBLAS_SIDE_LEFT ? call.m : call.n)
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_INVALID_VALUE;
}

bool fitHost(const Call &call) {
  return het::blas::fitHost(call.m, call.n, call.lda, call.ldb);
}

/// The place of one of many matrices.
template <class T> T *placeIn(const Operand &matrix, Index number) {
  return static_cast<T *>(matrix.array ? matrix.array[number] : matrix.base);
}

template <class T>
std::optional<cublasStatus_t> solveOnHost(const Call &call, const T *alpha,
                                          const Operand &a, const Operand &b) {
  using K = Kernel<T>;
  if (!fitHost(call))
    return std::nullopt;
  return callHost(call.handle, [=, alpha = scalarOf<T>(call.handle, alpha)] {
    const K first = read(alpha);
    for (Index number = 0; number < call.batch; ++number)
      hostBlas<K>().trsm(hostColumns, hostSide(call.side), hostPart(call.part),
                         hostOperation<K>(call.trans), hostDiagonal(call.diagonal),
                         hostSize(call.m), hostSize(call.n), factor(first),
                         placeIn<K>(a, number), hostSize(call.lda), placeIn<K>(b, number),
                         hostSize(call.ldb));
  });
}

/// The host's library does it in place.
template <class T>
std::optional<cublasStatus_t> multiplyOnHost(const Call &call, const T *alpha, const T *a,
                                             const T *b, T *c, Index ldc) {
  using K = Kernel<T>;
  if (!fitHost(call) || !het::blas::fitHost(ldc))
    return std::nullopt;
  return callHost(call.handle, [=, alpha = scalarOf<T>(call.handle, alpha)] {
    const K first = read(alpha);
    for (Index column = 0; b != c && column < call.n; ++column)
      std::copy_n(b + column * call.ldb, call.m, c + column * ldc);
    hostBlas<K>().trmm(hostColumns, hostSide(call.side), hostPart(call.part),
                       hostOperation<K>(call.trans), hostDiagonal(call.diagonal),
                       hostSize(call.m), hostSize(call.n), factor(first), hostPlace(a),
                       hostSize(call.lda), hostPlace(c), hostSize(ldc));
  });
}

template <class T>
cublasStatus_t solve(const Call &call, const T *alpha, Operand a, Operand b) {
  if (const cublasStatus_t status = check(call, alpha); status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (const auto status = solveOnHost(call, alpha, a, b))
    return *status;
  a = triangleOf(a, call.part, call.trans, call.diagonal);
  Index rows = call.m, columns = call.n;
  if (call.side == CUBLAS_SIDE_RIGHT) { // X A = B is A^T X^T = B^T
    std::swap(a.rowStep, a.columnStep);
    a.part = flipped(a.part);
    std::swap(b.rowStep, b.columnStep);
    std::swap(rows, columns);
  }
  return convert(solveTriangle(rows, columns, call.batch, scalarOf<T>(call.handle, alpha),
                               a, b, call.handle->stream));
}

template <class T>
cublasStatus_t multiplyTriangle(const Call &call, const T *alpha, const T *a, const T *b,
                                T *c, Index ldc) {
  if (const cublasStatus_t status = check(call, alpha); status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!holds(ldc, call.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!call.m || !call.n)
    return CUBLAS_STATUS_SUCCESS;
  if (const auto status = multiplyOnHost(call, alpha, a, b, c, ldc))
    return *status;
  const bool left = call.side == CUBLAS_SIDE_LEFT, inPlace = b == c;
  Operand other = operandOf(b, call.ldb);
  Temporary old(call.handle,
                inPlace ? static_cast<size_t>(call.m * call.n) * sizeof(T) : 0);
  cudaError_t error = old.status();
  if (inPlace && error == cudaSuccess) {
    const Scalar<Kernel<T>> one = constant(Kernel<T>(1)), zero;
    const Operand copy = operandOf(old.as<T>(), call.m);
    error =
        addMatrices(call.m, call.n, one, other, zero, other, copy, call.handle->stream);
    other = copy;
  }
  if (error != cudaSuccess)
    return convert(error);
  Product<Kernel<T>> product;
  product.m = call.m;
  product.n = call.n;
  product.k = left ? call.m : call.n;
  product.alpha = scalarOf<T>(call.handle, alpha);
  const Operand triangle =
      triangleOf(operandOf(a, call.lda), call.part, call.trans, call.diagonal);
  product.a = left ? triangle : other;
  product.b = left ? other : triangle;
  product.c = product.d = operandOf(c, ldc);
  return convert(multiply(product, call.handle->stream));
}

} // namespace

template <class T>
cudaError_t het::blas::solveTriangle(Index rows, Index columns, Index batch,
                                     const Scalar<T> &alpha, const Operand &a,
                                     const Operand &b, cudaStream_t stream) {
  const bool forward = a.part == Part::Lower;
  Scalar<T> factor = alpha;
  for (Index done = 0; done < rows; done += solveRows) {
    const Index now = rows - done < solveRows ? rows - done : solveRows;
    const Index rest = rows - done - now;
    const Index at = forward ? done : rest, other = forward ? done + now : 0;
    SmallSolve<T> small;
    small.rows = now;
    small.columns = columns;
    small.batch = batch;
    small.alpha = factor;
    small.a = part(a, at, at);
    small.b = part(b, at, 0);
    if (const cudaError_t error = solveSmall(small, stream); error != cudaSuccess)
      return error;
    Product<T> product;
    product.m = rest;
    product.n = columns;
    product.k = now;
    product.batch = batch;
    product.alpha = constant(T(-1));
    product.beta = factor;
    product.a = part(a, other, at);
    product.a.shape = Shape::General;
    product.b = part(b, at, 0);
    product.c = product.d = part(b, other, 0);
    if (const cudaError_t error = multiply(product, stream); error != cudaSuccess)
      return error;
    factor = constant(T(1));
  }
  return cudaSuccess;
}

#define HET_SOLVE(T)                                                                     \
  template cudaError_t het::blas::solveTriangle(Index, Index, Index, const Scalar<T> &,  \
                                                const Operand &, const Operand &,        \
                                                cudaStream_t);
HET_SOLVE(float)
HET_SOLVE(double)
HET_SOLVE(Complex32)
HET_SOLVE(Complex64)

#define HET_BOTH_SIZES(make, name, ...)                                                  \
  make(name, int, __VA_ARGS__) make(name##_64, int64_t, __VA_ARGS__)
#define HET_ALL_TYPES(make, op)                                                          \
  HET_BOTH_SIZES(make, cublasS##op, float)                                               \
  HET_BOTH_SIZES(make, cublasD##op, double)                                              \
  HET_BOTH_SIZES(make, cublasC##op, cuComplex)                                           \
  HET_BOTH_SIZES(make, cublasZ##op, cuDoubleComplex)

#define HET_TRMM(name, I, T)                                                             \
  HET_CUBLAS_TRMM(name, I, T) {                                                          \
    HET_VENDOR(name, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc);      \
    return multiplyTriangle({handle, side, uplo, trans, diag, m, n, lda, ldb}, alpha, A, \
                            B, C, ldc);                                                  \
  }
HET_ALL_TYPES(HET_TRMM, trmm_v2)

#define HET_TRSM(name, I, T)                                                             \
  HET_CUBLAS_TRSM(name, I, T) {                                                          \
    HET_VENDOR(name, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb);              \
    return solve({handle, side, uplo, trans, diag, m, n, lda, ldb}, alpha,               \
                 operandOf(A, lda), operandOf(B, ldb));                                  \
  }
HET_ALL_TYPES(HET_TRSM, trsm_v2)

#define HET_TRSM_BATCHED(name, I, T)                                                     \
  HET_CUBLAS_TRSM_BATCHED(name, I, T) {                                                  \
    HET_VENDOR(name, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, batchCount);  \
    return solve({handle, side, uplo, trans, diag, m, n, lda, ldb, batchCount}, alpha,   \
                 operandsOf(A, lda), operandsOf(B, ldb));                                \
  }
HET_ALL_TYPES(HET_TRSM_BATCHED, trsmBatched)
