// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues and singular values with sizes of 64 bits, whose types are arguments.

#include "Generic.h"
#include "Vendor.h"

using namespace het::solver;

cusolverStatus_t cusolverDnXsyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
    const void *a, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu,
    int64_t *count, cudaDataType typeW, const void *w, cudaDataType computeType,
    size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXsyevdx_bufferSize, vendorsOf(handle, params), jobz, range, uplo,
             n, typeA, a, lda, vl, vu, il, iu, count, typeW, w, computeType, onDevice,
             onHost);
  return tellSizes(handle, isMode(jobz) && isPart(uplo) && n >= 0 && holds(lda, n),
                   onDevice, onHost);
}
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                   void *a, int64_t lda, void *vl, void *vu, int64_t il,
                                   int64_t iu, int64_t *count, cudaDataType typeW,
                                   void *w, cudaDataType computeType, void *onDevice,
                                   size_t sizeOnDevice, void *onHost, size_t sizeOnHost,
                                   int *info) {
  HET_VENDOR(cusolverDnXsyevdx, vendorsOf(handle, params), jobz, range, uplo, n, typeA, a,
             lda, vl, vu, il, iu, count, typeW, w, computeType, onDevice, sizeOnDevice,
             onHost, sizeOnHost, info);
  if (typeW != realTypeOf(typeA))
    return refuse(__func__, "a combination of different types");
  if (!count || (range == CUSOLVER_EIG_RANGE_V && !(vl && vu)))
    return check(handle, false);
  return withType(__func__, typeA, {computeType}, [&](auto zero, auto real) {
    using R = decltype(real);
    const bool isGiven = range == CUSOLVER_EIG_RANGE_V;
    const Range<R> wanted = {range, isGiven ? *static_cast<const R *>(vl) : R(0),
                             isGiven ? *static_cast<const R *>(vu) : R(0), il, iu};
    Index found = 0;
    const cusolverStatus_t status =
        syevdx(handle, jobz, uplo, wanted, n, static_cast<decltype(zero) *>(a), lda,
               static_cast<R *>(w), &found, info);
    if (status == CUSOLVER_STATUS_SUCCESS)
      *count = found;
    return status;
  });
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobvt, int64_t m, int64_t n, cudaDataType typeA, const void *a,
    int64_t lda, cudaDataType typeS, const void *s, cudaDataType typeU, const void *u,
    int64_t ldu, cudaDataType typeVT, const void *vt, int64_t ldvt,
    cudaDataType computeType, size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXgesvd_bufferSize, vendorsOf(handle, params), jobu, jobvt, m, n,
             typeA, a, lda, typeS, s, typeU, u, ldu, typeVT, vt, ldvt, computeType,
             onDevice, onHost);
  return tellSizes(handle, m >= 0 && n >= 0 && holds(lda, m), onDevice, onHost);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeS, void *s, cudaDataType typeU,
                                  void *u, int64_t ldu, cudaDataType typeVT, void *vt,
                                  int64_t ldvt, cudaDataType computeType, void *onDevice,
                                  size_t sizeOnDevice, void *onHost, size_t sizeOnHost,
                                  int *info) {
  HET_VENDOR(cusolverDnXgesvd, vendorsOf(handle, params), jobu, jobvt, m, n, typeA, a,
             lda, typeS, s, typeU, u, ldu, typeVT, vt, ldvt, computeType, onDevice,
             sizeOnDevice, onHost, sizeOnHost, info);
  if (typeS != realTypeOf(typeA))
    return refuse(__func__, "a combination of different types");
  return withType(__func__, typeA, {typeU, typeVT, computeType},
                  [&](auto zero, auto real) {
                    using T = decltype(zero);
                    return gesvd(handle, jobu, jobvt, m, n, static_cast<T *>(a), lda,
                                 static_cast<decltype(real) *>(s), static_cast<T *>(u),
                                 ldu, static_cast<T *>(vt), ldvt, info);
                  });
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    int econ, int64_t m, int64_t n, cudaDataType typeA, const void *a, int64_t lda,
    cudaDataType typeS, const void *s, cudaDataType typeU, const void *u, int64_t ldu,
    cudaDataType typeV, const void *v, int64_t ldv, cudaDataType computeType,
    size_t *onDevice, size_t *onHost) {
  HET_VENDOR(cusolverDnXgesvdp_bufferSize, vendorsOf(handle, params), jobz, econ, m, n,
             typeA, a, lda, typeS, s, typeU, u, ldu, typeV, v, ldv, computeType, onDevice,
             onHost);
  return tellSizes(handle, isMode(jobz) && m >= 0 && n >= 0 && holds(lda, m), onDevice,
                   onHost);
}
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                   cudaDataType typeA, void *a, int64_t lda,
                                   cudaDataType typeS, void *s, cudaDataType typeU,
                                   void *u, int64_t ldu, cudaDataType typeV, void *v,
                                   int64_t ldv, cudaDataType computeType, void *onDevice,
                                   size_t sizeOnDevice, void *onHost, size_t sizeOnHost,
                                   int *info, double *perturbation) {
  HET_VENDOR(cusolverDnXgesvdp, vendorsOf(handle, params), jobz, econ, m, n, typeA, a,
             lda, typeS, s, typeU, u, ldu, typeV, v, ldv, computeType, onDevice,
             sizeOnDevice, onHost, sizeOnHost, info, perturbation);
  if (typeS != realTypeOf(typeA))
    return refuse(__func__, "a combination of different types");
  if (perturbation) // small values are not changed
    *perturbation = 0;
  return withType(__func__, typeA, {typeU, typeV, computeType},
                  [&](auto zero, auto real) {
                    using T = decltype(zero);
                    return gesvdj(handle, jobz, econ != 0, m, n, static_cast<T *>(a), lda,
                                  static_cast<decltype(real) *>(s), static_cast<T *>(u),
                                  ldu, static_cast<T *>(v), ldv, info, nullptr);
                  });
}
