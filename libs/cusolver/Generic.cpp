// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions with sizes of 64 bits, whose types are arguments.

#include "Library.h"

using namespace het::solver;

namespace {

/// Calls `call` with zeros of the type of numbers and of their absolute values, where all
/// of a call's types are one.
template <class Call>
cusolverStatus_t withType(const char *function, cudaDataType type,
                          std::initializer_list<cudaDataType> others, const Call &call) {
  for (const cudaDataType other : others)
    if (other != type)
      return refuse(function, "a combination of different types");
  switch (type) {
  // NOLINTNEXTLINE(bugprone-branch-clone): some calls do the same for all types
  case CUDA_R_32F:
    return call(float(), float());
  case CUDA_R_64F:
    return call(double(), double());
  case CUDA_C_32F:
    return call(cuComplex(), float());
  case CUDA_C_64F:
    return call(cuDoubleComplex(), double());
  default:
    return refuse(function, "this type");
  }
}
/// The type of absolute values.
cudaDataType realOf(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

cusolverStatus_t tellSizes(cusolverDnHandle_t handle, bool valid, size_t *onDevice,
                           size_t *onHost) {
  const cusolverStatus_t status = check(handle, valid && onDevice && onHost);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  *onDevice = smallBuffer;
  *onHost = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType, const void *,
                                             int64_t lda, cudaDataType, size_t *onDevice,
                                             size_t *onHost) {
  return tellSizes(handle, isPart(uplo) && n >= 0 && holds(lda, n), onDevice, onHost);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                  void *a, int64_t lda, cudaDataType computeType, void *,
                                  size_t, void *, size_t, int *info) {
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto) {
    return potrf(handle, uplo, n, static_cast<decltype(zero) *>(a), lda, info);
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info) {
  return withType(__func__, typeA, {typeB}, [&](auto zero, auto) {
    using T = decltype(zero);
    return potrs(handle, uplo, n, nrhs, static_cast<const T *>(a), lda,
                 static_cast<T *>(b), ldb, info);
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void *, int64_t lda,
                                             cudaDataType, size_t *onDevice,
                                             size_t *onHost) {
  return tellSizes(handle, m >= 0 && n >= 0 && holds(lda, m), onDevice, onHost);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  int64_t m, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, int64_t *ipiv, cudaDataType computeType,
                                  void *, size_t, void *, size_t, int *info) {
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto) {
    return getrf(handle, m, n, static_cast<decltype(zero) *>(a), lda, {ipiv, true}, info);
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  const int64_t *ipiv, cudaDataType typeB, void *b,
                                  int64_t ldb, int *info) {
  return withType(__func__, typeA, {typeB}, [&](auto zero, auto) {
    using T = decltype(zero);
    return getrs(handle, trans, n, nrhs, static_cast<const T *>(a), lda,
                 {const_cast<int64_t *>(ipiv), true}, static_cast<T *>(b), ldb, info);
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void *, int64_t lda,
                                             cudaDataType, const void *, cudaDataType,
                                             size_t *onDevice, size_t *onHost) {
  return tellSizes(handle, m >= 0 && n >= 0 && holds(lda, m), onDevice, onHost);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  int64_t m, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, cudaDataType typeTau, void *tau,
                                  cudaDataType computeType, void *, size_t, void *,
                                  size_t, int *info) {
  return withType(__func__, typeA, {typeTau, computeType}, [&](auto zero, auto) {
    using T = decltype(zero);
    return geqrf(handle, m, n, static_cast<T *>(a), lda, static_cast<T *>(tau), info);
  });
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle,
                                             cusolverDnParams_t, cusolverEigMode_t jobz,
                                             cublasFillMode_t uplo, int64_t n,
                                             cudaDataType, const void *, int64_t lda,
                                             cudaDataType, const void *, cudaDataType,
                                             size_t *onDevice, size_t *onHost) {
  return tellSizes(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),
                   onDevice, onHost);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeW, void *w, cudaDataType computeType,
                                  void *, size_t, void *, size_t, int *info) {
  if (typeW != realOf(typeA))
    return refuse(__func__, "a combination of different types");
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto real) {
    return syevd(handle, jobz, uplo, n, static_cast<decltype(zero) *>(a), lda,
                 static_cast<decltype(real) *>(w), info);
  });
}

cusolverStatus_t
cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, signed char,
                            signed char, int64_t m, int64_t n, cudaDataType, const void *,
                            int64_t lda, cudaDataType, const void *, cudaDataType,
                            const void *, int64_t, cudaDataType, const void *, int64_t,
                            cudaDataType, size_t *onDevice, size_t *onHost) {
  return tellSizes(handle, m >= 0 && n >= 0 && holds(lda, m), onDevice, onHost);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  signed char jobu, signed char jobvt, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeS, void *s, cudaDataType typeU,
                                  void *u, int64_t ldu, cudaDataType typeVT, void *vt,
                                  int64_t ldvt, cudaDataType computeType, void *, size_t,
                                  void *, size_t, int *info) {
  if (typeS != realOf(typeA))
    return refuse(__func__, "a combination of different types");
  return withType(__func__, typeA, {typeU, typeVT, computeType},
                  [&](auto zero, auto real) {
                    using T = decltype(zero);
                    return gesvd(handle, jobu, jobvt, m, n, static_cast<T *>(a), lda,
                                 static_cast<decltype(real) *>(s), static_cast<T *>(u),
                                 ldu, static_cast<T *>(vt), ldvt, info);
                  });
}
