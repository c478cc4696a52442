// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's functions of dense matrices. cuSOLVER documentation 12.9: chapter 2.4.

#ifndef HET_CUSOLVERDN_H
#define HET_CUSOLVERDN_H
#define CUSOLVERDN_H_

#include "__het/cusolver_signatures.h"
#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "driver_types.h"
#include <stdio.h>

struct cusolverDnContext;
typedef struct cusolverDnContext *cusolverDnHandle_t;
struct cusolverDnParams;
typedef struct cusolverDnParams *cusolverDnParams_t;
struct syevjInfo;
typedef struct syevjInfo *syevjInfo_t;
struct gesvdjInfo;
typedef struct gesvdjInfo *gesvdjInfo_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;

#ifdef __cplusplus
extern "C" {
#endif

HET_CUSOLVER(cusolverDnCreate)(cusolverDnHandle_t *handle);
HET_CUSOLVER(cusolverDnDestroy)(cusolverDnHandle_t handle);
HET_CUSOLVER(cusolverDnSetStream)(cusolverDnHandle_t handle, cudaStream_t streamId);
HET_CUSOLVER(cusolverDnGetStream)(cusolverDnHandle_t handle, cudaStream_t *streamId);
HET_CUSOLVER(cusolverDnSetDeterministicMode)
(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
HET_CUSOLVER(cusolverDnGetDeterministicMode)
(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode);
HET_CUSOLVER(cusolverDnCreateParams)(cusolverDnParams_t *params);
HET_CUSOLVER(cusolverDnDestroyParams)(cusolverDnParams_t params);
HET_CUSOLVER(cusolverDnSetAdvOptions)
(cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algo);

/* How Jacobi's methods end. */
#define HET_CUSOLVER_INFO(name, Name, Place)                                             \
  HET_CUSOLVER(cusolverDnCreate##Name##Info)(Place * info);                              \
  HET_CUSOLVER(cusolverDnDestroy##Name##Info)(Place info);                               \
  HET_CUSOLVER(cusolverDnX##name##SetTolerance)(Place info, double tolerance);           \
  HET_CUSOLVER(cusolverDnX##name##SetMaxSweeps)(Place info, int max_sweeps);             \
  HET_CUSOLVER(cusolverDnX##name##SetSortEig)(Place info, int sort);                     \
  HET_CUSOLVER(cusolverDnX##name##GetResidual)                                           \
  (cusolverDnHandle_t handle, Place info, double *residual);                             \
  HET_CUSOLVER(cusolverDnX##name##GetSweeps)                                             \
  (cusolverDnHandle_t handle, Place info, int *executed_sweeps);
HET_CUSOLVER_INFO(syevj, Syevj, syevjInfo_t)
HET_CUSOLVER_INFO(gesvdj, Gesvdj, gesvdjInfo_t)
#undef HET_CUSOLVER_INFO

/* All of a type; names of orthogonal matrices differ (org, ung). */
#define HET_CUSOLVER_TYPE(S, T, R, org, orm, syev, sygv)                                 \
  HET_CUSOLVER_POTRF_SIZE(cusolverDn##S##potrf_bufferSize, T);                           \
  HET_CUSOLVER_POTRF(cusolverDn##S##potrf, T);                                           \
  HET_CUSOLVER_POTRS(cusolverDn##S##potrs, T);                                           \
  HET_CUSOLVER_POTRF_BATCHED(cusolverDn##S##potrfBatched, T);                            \
  HET_CUSOLVER_POTRS_BATCHED(cusolverDn##S##potrsBatched, T);                            \
  HET_CUSOLVER_POTRF_SIZE(cusolverDn##S##potri_bufferSize, T);                           \
  HET_CUSOLVER_POTRF(cusolverDn##S##potri, T);                                           \
  HET_CUSOLVER_GETRF_SIZE(cusolverDn##S##getrf_bufferSize, T);                           \
  HET_CUSOLVER_GETRF(cusolverDn##S##getrf, T);                                           \
  HET_CUSOLVER_GETRS(cusolverDn##S##getrs, T);                                           \
  HET_CUSOLVER_LASWP(cusolverDn##S##laswp, T);                                           \
  HET_CUSOLVER_GETRF_SIZE(cusolverDn##S##geqrf_bufferSize, T);                           \
  HET_CUSOLVER_GEQRF(cusolverDn##S##geqrf, T);                                           \
  HET_CUSOLVER_ORGQR_SIZE(cusolverDn##S##org##qr_bufferSize, T);                         \
  HET_CUSOLVER_ORGQR(cusolverDn##S##org##qr, T);                                         \
  HET_CUSOLVER_ORMQR_SIZE(cusolverDn##S##orm##qr_bufferSize, T);                         \
  HET_CUSOLVER_ORMQR(cusolverDn##S##orm##qr, T);                                         \
  HET_CUSOLVER_SYEVD_SIZE(cusolverDn##S##syev##d_bufferSize, T, R);                      \
  HET_CUSOLVER_SYEVD(cusolverDn##S##syev##d, T, R);                                      \
  HET_CUSOLVER_SYEVJ_SIZE(cusolverDn##S##syev##j_bufferSize, T, R);                      \
  HET_CUSOLVER_SYEVJ(cusolverDn##S##syev##j, T, R);                                      \
  HET_CUSOLVER_SYEVJ_BATCHED_SIZE(cusolverDn##S##syev##jBatched_bufferSize, T, R);       \
  HET_CUSOLVER_SYEVJ_BATCHED(cusolverDn##S##syev##jBatched, T, R);                       \
  HET_CUSOLVER_SYEVDX_SIZE(cusolverDn##S##syev##dx_bufferSize, T, R);                    \
  HET_CUSOLVER_SYEVDX(cusolverDn##S##syev##dx, T, R);                                    \
  HET_CUSOLVER_SYGVD_SIZE(cusolverDn##S##sygv##d_bufferSize, T, R);                      \
  HET_CUSOLVER_SYGVD(cusolverDn##S##sygv##d, T, R);                                      \
  HET_CUSOLVER_SYGVJ_SIZE(cusolverDn##S##sygv##j_bufferSize, T, R);                      \
  HET_CUSOLVER_SYGVJ(cusolverDn##S##sygv##j, T, R);                                      \
  HET_CUSOLVER_SYGVDX_SIZE(cusolverDn##S##sygv##dx_bufferSize, T, R);                    \
  HET_CUSOLVER_SYGVDX(cusolverDn##S##sygv##dx, T, R);                                    \
  HET_CUSOLVER_GESVD_SIZE(cusolverDn##S##gesvd_bufferSize);                              \
  HET_CUSOLVER_GESVD(cusolverDn##S##gesvd, T, R);                                        \
  HET_CUSOLVER_GESVDJ_SIZE(cusolverDn##S##gesvdj_bufferSize, T, R);                      \
  HET_CUSOLVER_GESVDJ(cusolverDn##S##gesvdj, T, R);                                      \
  HET_CUSOLVER_GESVDJ_BATCHED_SIZE(cusolverDn##S##gesvdjBatched_bufferSize, T, R);       \
  HET_CUSOLVER_GESVDJ_BATCHED(cusolverDn##S##gesvdjBatched, T, R);                       \
  HET_CUSOLVER_GESVDA_SIZE(cusolverDn##S##gesvdaStridedBatched_bufferSize, T, R);        \
  HET_CUSOLVER_GESVDA(cusolverDn##S##gesvdaStridedBatched, T, R);                        \
  HET_CUSOLVER_GEBRD_SIZE(cusolverDn##S##gebrd_bufferSize);                              \
  HET_CUSOLVER_GEBRD(cusolverDn##S##gebrd, T, R);                                        \
  HET_CUSOLVER_SYTRF_SIZE(cusolverDn##S##sytrf_bufferSize, T);                           \
  HET_CUSOLVER_SYTRF(cusolverDn##S##sytrf, T);
HET_CUSOLVER_TYPE(S, float, float, org, orm, syev, sygv)
HET_CUSOLVER_TYPE(D, double, double, org, orm, syev, sygv)
HET_CUSOLVER_TYPE(C, cuComplex, float, ung, unm, heev, hegv)
HET_CUSOLVER_TYPE(Z, cuDoubleComplex, double, ung, unm, heev, hegv)

/* The second letter is the narrower type that factors may have. */
#define HET_CUSOLVER_NARROWER(SN, T)                                                     \
  HET_CUSOLVER_GESV_SIZE(cusolverDn##SN##gesv_bufferSize, T);                            \
  HET_CUSOLVER_GESV(cusolverDn##SN##gesv, T);                                            \
  HET_CUSOLVER_GELS_SIZE(cusolverDn##SN##gels_bufferSize, T);                            \
  HET_CUSOLVER_GELS(cusolverDn##SN##gels, T);
HET_CUSOLVER_NARROWER_TYPES(HET_CUSOLVER_NARROWER)
#undef HET_CUSOLVER_NARROWER

/* With 64-bit sizes, and types that are arguments. */
HET_CUSOLVER(cusolverDnXpotrf_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
 cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType computeType,
 size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXpotrf)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
 cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType computeType,
 void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
 size_t workspaceInBytesOnHost, int *info);
HET_CUSOLVER(cusolverDnXpotrs)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n,
 int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeB,
 void *B, int64_t ldb, int *info);
HET_CUSOLVER(cusolverDnXgetrf_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
 cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType computeType,
 size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXgetrf)
(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
 cudaDataType dataTypeA, void *A, int64_t lda, int64_t *ipiv, cudaDataType computeType,
 void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
 size_t workspaceInBytesOnHost, int *info);
HET_CUSOLVER(cusolverDnXgetrs)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans, int64_t n,
 int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv,
 cudaDataType dataTypeB, void *B, int64_t ldb, int *info);
HET_CUSOLVER(cusolverDnXgeqrf_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
 cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeTau,
 const void *tau, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
 size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXgeqrf)
(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
 cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeTau, void *tau,
 cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
 void *bufferOnHost, size_t workspaceInBytesOnHost, int *info);
HET_CUSOLVER(cusolverDnXsyevd_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
 cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
 cudaDataType dataTypeW, const void *W, cudaDataType computeType,
 size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXsyevd)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
 cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
 cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
 size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
 int *info);
HET_CUSOLVER(cusolverDnXsyevdx_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
 cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
 const void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *h_meig,
 cudaDataType dataTypeW, const void *W, cudaDataType computeType,
 size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXsyevdx)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
 cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
 void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig64,
 cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
 size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
 int *info);
HET_CUSOLVER(cusolverDnXtrtri_bufferSize)
(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
 cudaDataType dataTypeA, void *A, int64_t lda, size_t *workspaceInBytesOnDevice,
 size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXtrtri)
(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
 cudaDataType dataTypeA, void *A, int64_t lda, void *bufferOnDevice,
 size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
 int *devInfo);
HET_CUSOLVER(cusolverDnXgesvdp_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
 int64_t m, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
 cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU, const void *U,
 int64_t ldu, cudaDataType dataTypeV, const void *V, int64_t ldv,
 cudaDataType computeType, size_t *workspaceInBytesOnDevice,
 size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXgesvdp)
(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
 int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
 cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
 cudaDataType dataTypeV, void *V, int64_t ldv, cudaDataType computeType,
 void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
 size_t workspaceInBytesOnHost, int *d_info, double *h_err_sigma);
HET_CUSOLVER(cusolverDnXgesvd_bufferSize)
(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
 signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, const void *A,
 int64_t lda, cudaDataType dataTypeS, const void *S, cudaDataType dataTypeU,
 const void *U, int64_t ldu, cudaDataType dataTypeVT, const void *VT, int64_t ldvt,
 cudaDataType computeType, size_t *workspaceInBytesOnDevice,
 size_t *workspaceInBytesOnHost);
HET_CUSOLVER(cusolverDnXgesvd)
(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
 signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
 cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
 cudaDataType dataTypeVT, void *VT, int64_t ldvt, cudaDataType computeType,
 void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
 size_t workspaceInBytesOnHost, int *info);

#ifdef __cplusplus
}
#endif

#endif // HET_CUSOLVERDN_H
