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

// Generalised eigenvalues, and those of a range.
#define HET_CUSOLVER_SYGVD_SIZE(name, T, R)                                              \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cublasFillMode_t uplo, int n, const T *A, int lda, const T *B, int ldb, const R *W,   \
   int *lwork)
#define HET_CUSOLVER_SYGVD(name, T, R)                                                   \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int lwork, \
   int *info)
#define HET_CUSOLVER_SYGVJ_SIZE(name, T, R)                                              \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cublasFillMode_t uplo, int n, const T *A, int lda, const T *B, int ldb, const R *W,   \
   int *lwork, syevjInfo_t params)
#define HET_CUSOLVER_SYGVJ(name, T, R)                                                   \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R *W, T *work, int lwork, \
   int *info, syevjInfo_t params)
#define HET_CUSOLVER_SYEVDX_SIZE(name, T, R)                                             \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,          \
   cublasFillMode_t uplo, int n, const T *A, int lda, R vl, R vu, int il, int iu,        \
   int *meig, const R *W, int *lwork)
#define HET_CUSOLVER_SYEVDX(name, T, R)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,          \
   cublasFillMode_t uplo, int n, T *A, int lda, R vl, R vu, int il, int iu, int *meig,   \
   R *W, T *work, int lwork, int *info)
#define HET_CUSOLVER_SYGVDX_SIZE(name, T, R)                                             \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *A, int lda,          \
   const T *B, int ldb, R vl, R vu, int il, int iu, int *meig, const R *W, int *lwork)
#define HET_CUSOLVER_SYGVDX(name, T, R)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, \
   R vl, R vu, int il, int iu, int *meig, R *W, T *work, int lwork, int *info)

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
#define HET_CUSOLVER_GESVDJ_BATCHED_SIZE(name, T, R)                                     \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T *A, int lda, \
   const R *S, const T *U, int ldu, const T *V, int ldv, int *lwork,                     \
   gesvdjInfo_t params, int batchSize)
#define HET_CUSOLVER_GESVDJ_BATCHED(name, T, R)                                          \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *A, int lda, R *S, \
   T *U, int ldu, T *V, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params,     \
   int batchSize)
#define HET_CUSOLVER_GESVDA_SIZE(name, T, R)                                             \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n,            \
   const T *A, int lda, long long int strideA, const R *S, long long int strideS,        \
   const T *U, int ldu, long long int strideU, const T *V, int ldv,                      \
   long long int strideV, int *lwork, int batchSize)
#define HET_CUSOLVER_GESVDA(name, T, R)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n,            \
   const T *A, int lda, long long int strideA, R *S, long long int strideS, T *U,        \
   int ldu, long long int strideU, T *V, int ldv, long long int strideV, T *work,        \
   int lwork, int *info, double *h_R_nrmF, int batchSize)

// Systems of equations and least squares, by factors of a narrower type.
#define HET_CUSOLVER_GESV_SIZE(name, T)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA,             \
   cusolver_int_t ldda, cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX,     \
   cusolver_int_t lddx, void *dWorkspace, size_t *lwork_bytes)
#define HET_CUSOLVER_GESV(name, T)                                                       \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA,             \
   cusolver_int_t ldda, cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX,     \
   cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes, cusolver_int_t *iter,      \
   cusolver_int_t *d_info)
#define HET_CUSOLVER_GELS_SIZE(name, T)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs,   \
   T * dA, cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX,                     \
   cusolver_int_t lddx, void *dWorkspace, size_t *lwork_bytes)
#define HET_CUSOLVER_GELS(name, T)                                                       \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs,   \
   T * dA, cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX,                     \
   cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes, cusolver_int_t *iter,      \
   cusolver_int_t *d_info)

/* Pairs of types: K, H are halves, E, B bfloat16, Y, X TensorFloat-32. */
#define HET_CUSOLVER_NARROWER_TYPES(make)                                                \
  make(SS, float) make(SH, float) make(SB, float) make(SX, float) make(DD, double)       \
      make(DS, double) make(DH, double) make(DB, double) make(DX, double)                \
          make(CC, cuComplex) make(CK, cuComplex) make(CE, cuComplex)                    \
              make(CY, cuComplex) make(ZZ, cuDoubleComplex) make(ZC, cuDoubleComplex)    \
                  make(ZK, cuDoubleComplex) make(ZE, cuDoubleComplex)                    \
                      make(ZY, cuDoubleComplex)

// Bidiagonal and symmetric indefinite factors.
#define HET_CUSOLVER_GEBRD_SIZE(name)                                                    \
  HET_CUSOLVER(name)(cusolverDnHandle_t handle, int m, int n, int *Lwork)
#define HET_CUSOLVER_GEBRD(name, T, R)                                                   \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, int m, int n, T *A, int lda, R *D, R *E, T *TAUQ, T *TAUP, \
   T *Work, int Lwork, int *devInfo)
#define HET_CUSOLVER_SYTRF_SIZE(name, T)                                                 \
  HET_CUSOLVER(name)(cusolverDnHandle_t handle, int n, T *A, int lda, int *lwork)
#define HET_CUSOLVER_SYTRF(name, T)                                                      \
  HET_CUSOLVER(name)                                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *ipiv,    \
   T *work, int lwork, int *info)

#endif // HET_CUSOLVER_SIGNATURES_H
