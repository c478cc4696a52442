// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's functions of sparse matrices: the handle, and solutions by QR and Cholesky's
// factors. cuSOLVER documentation 12.9: chapter 2.5.

#ifndef HET_CUSOLVERSP_H
#define HET_CUSOLVERSP_H
#define CUSOLVERSP_H_

#include "__het/cusolver_signatures.h"
#include "cuComplex.h"
#include "cusolver_common.h"
#include "cusparse.h"
#include "driver_types.h"

struct cusolverSpContext;
typedef struct cusolverSpContext *cusolverSpHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

HET_CUSOLVER(cusolverSpCreate)(cusolverSpHandle_t *handle);
HET_CUSOLVER(cusolverSpDestroy)(cusolverSpHandle_t handle);
HET_CUSOLVER(cusolverSpSetStream)(cusolverSpHandle_t handle, cudaStream_t streamId);
HET_CUSOLVER(cusolverSpGetStream)(cusolverSpHandle_t handle, cudaStream_t *streamId);

/* Solves A x = b; `singularity` is -1, or the first column without a pivot. */
#define HET_CUSOLVER_CSRLSV(name, T, R)                                                  \
  HET_CUSOLVER(name)                                                                     \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,           \
   const T *csrVal, const int *csrRowPtr, const int *csrColInd, const T *b, R tol,       \
   int reorder, T *x, int *singularity)
/* The eigenvalue next to mu0. */
#define HET_CUSOLVER_CSREIGVSI(name, T, R)                                               \
  HET_CUSOLVER(name)                                                                     \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,           \
   const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, T mu0, const T *x0,   \
   int maxite, R eps, T *mu, T *x)

#define HET_CUSOLVER_SPARSE(S, T, R)                                                     \
  HET_CUSOLVER_CSRLSV(cusolverSp##S##csrlsvqr, T, R);                                    \
  HET_CUSOLVER_CSRLSV(cusolverSp##S##csrlsvchol, T, R);                                  \
  HET_CUSOLVER_CSREIGVSI(cusolverSp##S##csreigvsi, T, R);
HET_CUSOLVER_SPARSE(S, float, float)
HET_CUSOLVER_SPARSE(D, double, double)
HET_CUSOLVER_SPARSE(C, cuComplex, float)
HET_CUSOLVER_SPARSE(Z, cuDoubleComplex, double)
#undef HET_CUSOLVER_SPARSE

#ifdef __cplusplus
}
#endif

#endif // HET_CUSOLVERSP_H
