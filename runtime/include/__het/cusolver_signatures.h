// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of cuSOLVER's functions of dense matrices. Those of one operation differ
// in the type T of numbers alone (R that of their absolute values); the library defines
// its functions by the same lines. cuSOLVER documentation 12.9: chapter 2.4.

#ifndef HET_CUSOLVER_SIGNATURES_H
#define HET_CUSOLVER_SIGNATURES_H

#define HET_CUSOLVER(name) cusolverStatus_t CUSOLVERAPI name

// Cholesky's factors.
#define HET_CUSOLVER_POTRF_SIZE(name, T)                                                 \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *Lwork)
#define HET_CUSOLVER_POTRF(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, T *Workspace, \
   int Lwork, int *devInfo)
#define HET_CUSOLVER_POTRS(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T *A,        \
   int lda, T *B, int ldb, int *devInfo)
#define HET_CUSOLVER_POTRF_BATCHED(name, T)                                              \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *Aarray[], int lda,        \
   int *infoArray, int batchSize)
#define HET_CUSOLVER_POTRS_BATCHED(name, T)                                              \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, T *A[], int lda,   \
   T *B[], int ldb, int *d_info, int batchSize)

// LU factors; without devIpiv no rows are exchanged.
#define HET_CUSOLVER_GETRF_SIZE(name, T)                                                 \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int m, int n, T *A, int lda, int *Lwork)
#define HET_CUSOLVER_GETRF(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *Workspace, int *devIpiv,   \
   int *devInfo)
#define HET_CUSOLVER_GETRS(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *A,      \
   int lda, const int *devIpiv, T *B, int ldb, int *devInfo)
#define HET_CUSOLVER_LASWP(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int n, T *A, int lda, int k1, int k2, const int *devIpiv,  \
   int incx)

// QR factors.
#define HET_CUSOLVER_GEQRF(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *TAU, T *Workspace,         \
   int Lwork, int *devInfo)
#define HET_CUSOLVER_ORGQR_SIZE(name, T)                                                 \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int m, int n, int k, const T *A, int lda, const T *tau,    \
   int *lwork)
#define HET_CUSOLVER_ORGQR(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda, const T *tau, T *work, \
   int lwork, int *info)
#define HET_CUSOLVER_ORMQR_SIZE(name, T)                                                 \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,     \
   int n, int k, const T *A, int lda, const T *tau, const T *C, int ldc, int *lwork)
#define HET_CUSOLVER_ORMQR(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,     \
   int n, int k, const T *A, int lda, const T *tau, T *C, int ldc, T *work, int lwork,   \
   int *devInfo)

// Eigenvalues of symmetric and Hermitian matrices.
#define HET_CUSOLVER_SYEVD_SIZE(name, T, R)                                              \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
   const T *A, int lda, const R *W, int *lwork)
#define HET_CUSOLVER_SYEVD(name, T, R)                                                   \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
   T *A, int lda, R *W, T *work, int lwork, int *info)
#define HET_CUSOLVER_SYEVJ_SIZE(name, T, R)                                              \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
   const T *A, int lda, const R *W, int *lwork, syevjInfo_t params)
#define HET_CUSOLVER_SYEVJ(name, T, R)                                                   \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
   T *A, int lda, R *W, T *work, int lwork, int *info, syevjInfo_t params)
#define HET_CUSOLVER_SYEVJ_BATCHED_SIZE(name, T, R)                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
   const T *A, int lda, const R *W, int *lwork, syevjInfo_t params, int batchSize)
#define HET_CUSOLVER_SYEVJ_BATCHED(name, T, R)                                           \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
   T *A, int lda, R *W, T *work, int lwork, int *info, syevjInfo_t params,               \
   int batchSize)

// Singular values.
#define HET_CUSOLVER_GESVD_SIZE(name)                                                    \
  HET_CUSOLVER(name)(cusolverDnHandle_t handle, int m, int n, int *lwork)
#define HET_CUSOLVER_GESVD(name, T, R)                                                   \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *A,   \
   int lda, R *S, T *U, int ldu, T *VT, int ldvt, T *work, int lwork, R *rwork,          \
   int *info)
#define HET_CUSOLVER_GESVDJ_SIZE(name, T, R)                                             \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,            \
   const T *A, int lda, const R *S, const T *U, int ldu, const T *V, int ldv,            \
   int *lwork, gesvdjInfo_t params)
#define HET_CUSOLVER_GESVDJ(name, T, R)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T *A,      \
   int lda, R *S, T *U, int ldu, T *V, int ldv, T *work, int lwork, int *info,           \
   gesvdjInfo_t params)

#endif // HET_CUSOLVER_SIGNATURES_H
