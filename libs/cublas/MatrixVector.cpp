// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's products of a matrix and a vector (level 2): general, band, symmetric and
// Hermitian ones, packed ones, and many small ones.

#include "HostBlas.h"
#include "VectorOperands.h"
#include "Vendor.h"

#include <cuda_bf16.h>

using namespace het::blas;

namespace {

/// What a function is given beside its matrix.
template <class S> struct Call {
  cublasHandle_t handle;
  Index m, n; ///< Of the matrix as stored.
  const S *alpha;
  const void *x;
  Index incx;
  const S *beta;
  void *y;
  Index incy;
};

template <class S> cublasStatus_t check(const Call<S> &call, bool valid) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid || call.m < 0 || call.n < 0 || !call.incx || !call.incy || !call.alpha ||
      !call.beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

/// The product, without what it is of.
template <class S>
VectorProduct<Kernel<S>> productOf(const Call<S> &call, bool transposed) {
  VectorProduct<Kernel<S>> product;
  product.m = transposed ? call.n : call.m;
  product.n = transposed ? call.m : call.n;
  product.alpha = scalarOf<S>(call.handle, call.alpha);
  product.beta = scalarOf<S>(call.handle, call.beta);
  product.x = vectorOf(call.x, call.incx);
  product.y = vectorOf(call.y, call.incy);
  return product;
}

/// A full matrix; the host's library takes places as they are.
template <class S>
std::optional<cublasStatus_t> onHost(const Call<S> &call, cublasOperation_t trans,
                                     const VectorOperand &a) {
  using K = Kernel<S>;
  if (a.storage != Storage::Full ||
      !fitHost(call.m, call.n, a.columnStep, call.incx, call.incy))
    return std::nullopt;
  return callHost(call.handle, [=, alpha = scalarOf<S>(call.handle, call.alpha),
                                beta = scalarOf<S>(call.handle, call.beta)] {
    const K first = read(alpha), second = read(beta);
    hostBlas<K>().gemv(hostColumns, hostOperation<K>(trans), hostSize(call.m),
                       hostSize(call.n), factor(first), static_cast<const K *>(a.base),
                       hostSize(a.columnStep), static_cast<const K *>(call.x),
                       hostSize(call.incx), factor(second), static_cast<K *>(call.y),
                       hostSize(call.incy));
  });
}

template <class S>
cublasStatus_t general(const Call<S> &call, cublasOperation_t trans, VectorOperand a,
                       bool valid) {
  if (const cublasStatus_t status = check(call, valid && isOperation(trans));
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!call.m || !call.n)
    return CUBLAS_STATUS_SUCCESS;
  if (const auto status = onHost(call, trans, a))
    return *status;
  VectorProduct<Kernel<S>> product = productOf(call, trans != CUBLAS_OP_N);
  apply(trans, a);
  product.a = a;
  return convert(multiplyVector(product, call.handle->stream));
}

template <class S>
cublasStatus_t mirrored(const Call<S> &call, Shape shape, cublasFillMode_t part,
                        const VectorOperand &a, bool valid) {
  if (const cublasStatus_t status = check(call, valid && isPart(part));
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  VectorProduct<Kernel<S>> product = productOf(call, false);
  product.a = withPart(a, shape, part);
  return convert(multiplyVector(product, call.handle->stream));
}

/// The types of one of many products.
struct Many {
  cudaDataType from = CUDA_R_32F, to = CUDA_R_32F;
  Index batch;
  const void *const *aArray = nullptr, *const *xArray = nullptr;
  void *const *yArray = nullptr;
  Index strideA = 0, strideX = 0, strideY = 0;
};

template <class T> constexpr cudaDataType typeOf = CUDA_R_32F;
template <> constexpr cudaDataType typeOf<__half> = CUDA_R_16F;
template <> constexpr cudaDataType typeOf<__nv_bfloat16> = CUDA_R_16BF;

template <class S>
cublasStatus_t many(const Call<S> &call, cublasOperation_t trans, const void *a,
                    Index lda, const Many &given) {
  if (const cublasStatus_t status =
          check(call, isOperation(trans) && holds(lda, call.m) && given.batch >= 0);
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!call.m || !call.n)
    return CUBLAS_STATUS_SUCCESS;
  VectorProduct<Kernel<S>> product = productOf(call, trans != CUBLAS_OP_N);
  product.a = fullOperand(a, lda);
  product.a.array = const_cast<void *const *>(given.aArray);
  product.a.stride = given.strideA;
  product.a.type = product.x.type = given.from;
  product.y.type = given.to;
  apply(trans, product.a);
  product.batch = given.batch;
  product.xArray = const_cast<void *const *>(given.xArray);
  product.yArray = given.yArray;
  product.xStride = given.strideX;
  product.yStride = given.strideY;
  return convert(multiplyVector(product, call.handle->stream));
}

} // namespace

#define HET_BOTH_SIZES(make, name, ...)                                                  \
  make(name, int, __VA_ARGS__) make(name##_64, int64_t, __VA_ARGS__)
#define HET_ALL_TYPES(make, op)                                                          \
  HET_BOTH_SIZES(make, cublasS##op, float)                                               \
  HET_BOTH_SIZES(make, cublasD##op, double)                                              \
  HET_BOTH_SIZES(make, cublasC##op, cuComplex)                                           \
  HET_BOTH_SIZES(make, cublasZ##op, cuDoubleComplex)

#define HET_GEMV(name, I, T)                                                             \
  HET_CUBLAS_GEMV(name, I, T) {                                                          \
    HET_VENDOR(name, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);                \
    return general<T>({handle, m, n, alpha, x, incx, beta, y, incy}, trans,              \
                      fullOperand(A, lda), holds(lda, m));                               \
  }
HET_ALL_TYPES(HET_GEMV, gemv_v2)

#define HET_GBMV(name, I, T)                                                             \
  HET_CUBLAS_GBMV(name, I, T) {                                                          \
    HET_VENDOR(name, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy);        \
    return general<T>({handle, m, n, alpha, x, incx, beta, y, incy}, trans,              \
                      bandOperand(A, lda, kl, ku),                                       \
                      kl >= 0 && ku >= 0 && lda >= kl + ku + 1);                         \
  }
HET_ALL_TYPES(HET_GBMV, gbmv_v2)

#define HET_SYMV(name, I, T, shape)                                                      \
  HET_CUBLAS_SYMV(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                    \
    return mirrored<T>({handle, n, n, alpha, x, incx, beta, y, incy}, Shape::shape,      \
                       uplo, fullOperand(A, lda), holds(lda, n));                        \
  }
HET_BOTH_SIZES(HET_SYMV, cublasSsymv_v2, float, Symmetric)
HET_BOTH_SIZES(HET_SYMV, cublasDsymv_v2, double, Symmetric)
HET_BOTH_SIZES(HET_SYMV, cublasCsymv_v2, cuComplex, Symmetric)
HET_BOTH_SIZES(HET_SYMV, cublasZsymv_v2, cuDoubleComplex, Symmetric)
HET_BOTH_SIZES(HET_SYMV, cublasChemv_v2, cuComplex, Hermitian)
HET_BOTH_SIZES(HET_SYMV, cublasZhemv_v2, cuDoubleComplex, Hermitian)

#define HET_SBMV(name, I, T, shape)                                                      \
  HET_CUBLAS_SBMV(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);                 \
    return mirrored<T>({handle, n, n, alpha, x, incx, beta, y, incy}, Shape::shape,      \
                       uplo, bandOperand(A, lda, k, k), k >= 0 && lda >= k + 1);         \
  }
HET_BOTH_SIZES(HET_SBMV, cublasSsbmv_v2, float, Symmetric)
HET_BOTH_SIZES(HET_SBMV, cublasDsbmv_v2, double, Symmetric)
HET_BOTH_SIZES(HET_SBMV, cublasChbmv_v2, cuComplex, Hermitian)
HET_BOTH_SIZES(HET_SBMV, cublasZhbmv_v2, cuDoubleComplex, Hermitian)

#define HET_SPMV(name, I, T, shape)                                                      \
  HET_CUBLAS_SPMV(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, n, alpha, AP, x, incx, beta, y, incy);                        \
    return mirrored<T>({handle, n, n, alpha, x, incx, beta, y, incy}, Shape::shape,      \
                       uplo, packedOperand(AP, n), true);                                \
  }
HET_BOTH_SIZES(HET_SPMV, cublasSspmv_v2, float, Symmetric)
HET_BOTH_SIZES(HET_SPMV, cublasDspmv_v2, double, Symmetric)
HET_BOTH_SIZES(HET_SPMV, cublasChpmv_v2, cuComplex, Hermitian)
HET_BOTH_SIZES(HET_SPMV, cublasZhpmv_v2, cuDoubleComplex, Hermitian)

#define HET_GEMV_BATCHED(name, I, T, Y, S)                                               \
  HET_CUBLAS_GEMV_BATCHED(name, I, T, Y, S) {                                            \
    HET_VENDOR(name, trans, m, n, alpha, Aarray, lda, xarray, incx, beta, yarray, incy,  \
               batchCount);                                                              \
    return many<S>({handle, m, n, alpha, nullptr, incx, beta, nullptr, incy}, trans,     \
                   nullptr, lda,                                                         \
                   {typeOf<T>, typeOf<Y>, batchCount,                                    \
                    reinterpret_cast<const void *const *>(Aarray),                       \
                    reinterpret_cast<const void *const *>(xarray),                       \
                    reinterpret_cast<void *const *>(yarray)});                           \
  }
#define HET_GEMV_STRIDED(name, I, T, Y, S)                                               \
  HET_CUBLAS_GEMV_STRIDED(name, I, T, Y, S) {                                            \
    HET_VENDOR(name, trans, m, n, alpha, A, lda, strideA, x, incx, stridex, beta, y,     \
               incy, stridey, batchCount);                                               \
    return many<S>({handle, m, n, alpha, x, incx, beta, y, incy}, trans, A, lda,         \
                   {typeOf<T>, typeOf<Y>, batchCount, nullptr, nullptr, nullptr,         \
                    strideA, stridex, stridey});                                         \
  }
#define HET_MANY(T, Y, S, prefix)                                                        \
  HET_BOTH_SIZES(HET_GEMV_BATCHED, cublas##prefix##gemvBatched, T, Y, S)                 \
  HET_BOTH_SIZES(HET_GEMV_STRIDED, cublas##prefix##gemvStridedBatched, T, Y, S)
HET_MANY(float, float, float, S)
HET_MANY(double, double, double, D)
HET_MANY(cuComplex, cuComplex, cuComplex, C)
HET_MANY(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, Z)
HET_MANY(__half, __half, float, HSH)
HET_MANY(__half, float, float, HSS)
HET_MANY(__nv_bfloat16, __nv_bfloat16, float, TST)
HET_MANY(__nv_bfloat16, float, float, TSS)
