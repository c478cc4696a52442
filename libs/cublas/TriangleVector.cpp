// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangles and vectors (level 2): products, and equations, in place.

#include "VectorOperands.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

struct Call {
  cublasHandle_t handle;
  cublasFillMode_t part;
  cublasOperation_t trans;
  cublasDiagType_t diagonal;
  Index n;
  void *x;
  Index incx;
};

cublasStatus_t check(const Call &call, bool valid) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return valid && isPart(call.part) && isOperation(call.trans) &&
                 isDiagonal(call.diagonal) && call.n >= 0 && call.incx
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_INVALID_VALUE;
}

VectorOperand triangle(const Call &call, const VectorOperand &stored) {
  VectorOperand a = withPart(stored, Shape::Triangle, call.part);
  a.unit = call.diagonal == CUBLAS_DIAG_UNIT;
  apply(call.trans, a);
  return a;
}

template <class T>
cublasStatus_t multiply(const Call &call, const VectorOperand &a, bool valid) {
  if (const cublasStatus_t status = check(call, valid); status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!call.n)
    return CUBLAS_STATUS_SUCCESS;
  Temporary old(call.handle, static_cast<size_t>(call.n) * sizeof(T));
  VectorProduct<T> product;
  product.m = product.n = call.n;
  product.alpha = constant(T(1));
  product.a = triangle(call, a);
  product.x = vectorOf(old.as<T>(), 1);
  product.y = vectorOf(call.x, call.incx);
  cudaError_t error = old.status();
  if (error == cudaSuccess)
    error = changeVectors<T>(VectorStep::Copy, call.n, {}, product.y, product.x,
                             call.handle->stream);
  if (error == cudaSuccess)
    error = multiplyVector(product, call.handle->stream);
  return convert(error);
}

template <class T>
cublasStatus_t solve(const Call &call, const VectorOperand &a, bool valid) {
  if (const cublasStatus_t status = check(call, valid); status != CUBLAS_STATUS_SUCCESS)
    return status;
  return convert(solveVector<T>(call.n, triangle(call, a), vectorOf(call.x, call.incx),
                                call.handle->stream));
}

} // namespace

#define HET_BOTH_SIZES(make, name, ...)                                                  \
  make(name, int, __VA_ARGS__) make(name##_64, int64_t, __VA_ARGS__)
#define HET_ALL_TYPES(make, op, run)                                                     \
  HET_BOTH_SIZES(make, cublasS##op, float, run)                                          \
  HET_BOTH_SIZES(make, cublasD##op, double, run)                                         \
  HET_BOTH_SIZES(make, cublasC##op, cuComplex, run)                                      \
  HET_BOTH_SIZES(make, cublasZ##op, cuDoubleComplex, run)

#define HET_TRMV(name, I, T, run)                                                        \
  HET_CUBLAS_TRMV(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, trans, diag, n, A, lda, x, incx);                             \
    return run<Kernel<T>>({handle, uplo, trans, diag, n, x, incx}, fullOperand(A, lda),  \
                          holds(lda, n));                                                \
  }
HET_ALL_TYPES(HET_TRMV, trmv_v2, multiply)
HET_ALL_TYPES(HET_TRMV, trsv_v2, solve)

#define HET_TBMV(name, I, T, run)                                                        \
  HET_CUBLAS_TBMV(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, trans, diag, n, k, A, lda, x, incx);                          \
    return run<Kernel<T>>({handle, uplo, trans, diag, n, x, incx},                       \
                          bandOperand(A, lda, k, k), k >= 0 && lda >= k + 1);            \
  }
HET_ALL_TYPES(HET_TBMV, tbmv_v2, multiply)
HET_ALL_TYPES(HET_TBMV, tbsv_v2, solve)

#define HET_TPMV(name, I, T, run)                                                        \
  HET_CUBLAS_TPMV(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, trans, diag, n, AP, x, incx);                                 \
    return run<Kernel<T>>({handle, uplo, trans, diag, n, x, incx}, packedOperand(AP, n), \
                          true);                                                         \
  }
HET_ALL_TYPES(HET_TPMV, tpmv_v2, multiply)
HET_ALL_TYPES(HET_TPMV, tpsv_v2, solve)
