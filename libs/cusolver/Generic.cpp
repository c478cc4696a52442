// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors and eigenvalues with sizes of 64 bits, whose types are arguments.

#include "Generic.h"
#include "Vendor.h"

using namespace het::solver;

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n,
                                             cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType computeType,
                                             size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXpotrf_bufferSize, vendorsOf(handle, params), uplo, n, typeA, a,
             lda, computeType, onDevice, onHost);
  return tellSizes(handle, isPart(uplo) && n >= 0 && holds(lda, n), onDevice, onHost);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                  void *a, int64_t lda, cudaDataType computeType,
                                  void *onDevice, size_t sizeOnDevice, void *onHost,
                                  size_t sizeOnHost, int *info) {
  HET_VENDOR(cusolverDnXpotrf, vendorsOf(handle, params), uplo, n, typeA, a, lda,
             computeType, onDevice, sizeOnDevice, onHost, sizeOnHost, info);
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto) {
    return potrf(handle, uplo, n, static_cast<decltype(zero) *>(a), lda, info);
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info) {
  HET_VENDOR(cusolverDnXpotrs, vendorsOf(handle, params), uplo, n, nrhs, typeA, a, lda,
             typeB, b, ldb, info);
  return withType(__func__, typeA, {typeB}, [&](auto zero, auto) {
    using T = decltype(zero);
    return potrs(handle, uplo, n, nrhs, static_cast<const T *>(a), lda,
                 static_cast<T *>(b), ldb, info);
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t params, int64_t m,
                                             int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType computeType,
                                             size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXgetrf_bufferSize, vendorsOf(handle, params), m, n, typeA, a, lda,
             computeType, onDevice, onHost);
  return tellSizes(handle, m >= 0 && n >= 0 && holds(lda, m), onDevice, onHost);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  int64_t m, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, int64_t *ipiv, cudaDataType computeType,
                                  void *onDevice, size_t sizeOnDevice, void *onHost,
                                  size_t sizeOnHost, int *info) {
  HET_VENDOR(cusolverDnXgetrf, vendorsOf(handle, params), m, n, typeA, a, lda, ipiv,
             computeType, onDevice, sizeOnDevice, onHost, sizeOnHost, info);
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto) {
    return getrf(handle, m, n, static_cast<decltype(zero) *>(a), lda, {ipiv, true}, info);
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  const int64_t *ipiv, cudaDataType typeB, void *b,
                                  int64_t ldb, int *info) {
  HET_VENDOR(cusolverDnXgetrs, vendorsOf(handle, params), trans, n, nrhs, typeA, a, lda,
             ipiv, typeB, b, ldb, info);
  return withType(__func__, typeA, {typeB}, [&](auto zero, auto) {
    using T = decltype(zero);
    return getrs(handle, trans, n, nrhs, static_cast<const T *>(a), lda,
                 {const_cast<int64_t *>(ipiv), true}, static_cast<T *>(b), ldb, info);
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t params, int64_t m,
                                             int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType typeTau,
                                             const void *tau, cudaDataType computeType,
                                             size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXgeqrf_bufferSize, vendorsOf(handle, params), m, n, typeA, a, lda,
             typeTau, tau, computeType, onDevice, onHost);
  return tellSizes(handle, m >= 0 && n >= 0 && holds(lda, m), onDevice, onHost);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  int64_t m, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, cudaDataType typeTau, void *tau,
                                  cudaDataType computeType, void *onDevice,
                                  size_t sizeOnDevice, void *onHost, size_t sizeOnHost,
                                  int *info) {
  HET_VENDOR(cusolverDnXgeqrf, vendorsOf(handle, params), m, n, typeA, a, lda, typeTau,
             tau, computeType, onDevice, sizeOnDevice, onHost, sizeOnHost, info);
  return withType(__func__, typeA, {typeTau, computeType}, [&](auto zero, auto) {
    using T = decltype(zero);
    return geqrf(handle, m, n, static_cast<T *>(a), lda, static_cast<T *>(tau), info);
  });
}

cusolverStatus_t
cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                            cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                            cudaDataType typeA, const void *a, int64_t lda,
                            cudaDataType typeW, const void *w, cudaDataType computeType,
                            size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXsyevd_bufferSize, vendorsOf(handle, params), jobz, uplo, n, typeA,
             a, lda, typeW, w, computeType, onDevice, onHost);
  return tellSizes(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),
                   onDevice, onHost);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeW, void *w, cudaDataType computeType,
                                  void *onDevice, size_t sizeOnDevice, void *onHost,
                                  size_t sizeOnHost, int *info) {
  HET_VENDOR(cusolverDnXsyevd, vendorsOf(handle, params), jobz, uplo, n, typeA, a, lda,
             typeW, w, computeType, onDevice, sizeOnDevice, onHost, sizeOnHost, info);
  if (typeW != realTypeOf(typeA))
    return refuse(__func__, "a combination of different types");
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto real) {
    return syevd(handle, jobz, uplo, n, static_cast<decltype(zero) *>(a), lda,
                 static_cast<decltype(real) *>(w), info);
  });
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle,
                                             cublasFillMode_t uplo, cublasDiagType_t diag,
                                             int64_t n, cudaDataType typeA, void *a,
                                             int64_t lda, size_t *onDevice,
                                             size_t *onHost) {
  HET_VENDOR(cusolverDnXtrtri_bufferSize, uplo, diag, n, typeA, a, lda, onDevice, onHost);
  return tellSizes(handle, isPart(uplo) && n >= 0 && holds(lda, n), onDevice, onHost);
}
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType typeA,
                                  void *a, int64_t lda, void *onDevice,
                                  size_t sizeOnDevice, void *onHost, size_t sizeOnHost,
                                  int *info) {
  HET_VENDOR(cusolverDnXtrtri, uplo, diag, n, typeA, a, lda, onDevice, sizeOnDevice,
             onHost, sizeOnHost, info);
  return withType(__func__, typeA, {}, [&](auto zero, auto) {
    return trtri(handle, uplo, diag, n, static_cast<decltype(zero) *>(a), lda, info);
  });
}
