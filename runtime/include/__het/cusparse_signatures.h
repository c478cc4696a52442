// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of cuSPARSE's functions that have the type of numbers in their names.
// Those of one operation differ in the type T alone (R that of its absolute values); the
// library defines its functions by the same lines. cuSPARSE documentation 12.9:
// chapter 5.

#ifndef HET_CUSPARSE_SIGNATURES_H
#define HET_CUSPARSE_SIGNATURES_H

// A matrix whose rows are compressed, and one of blocks; those that are results.
#define HET_CSR(T, A)                                                                    \
  const cusparseMatDescr_t descr##A, T *csrVal##A, const int *csrRowPtr##A,              \
      const int *csrColInd##A
#define HET_CSR_OUT(T, C)                                                                \
  const cusparseMatDescr_t descr##C, T *csrVal##C, int *csrRowPtr##C, int *csrColInd##C
#define HET_BSR(T, A)                                                                    \
  const cusparseMatDescr_t descr##A, T *bsrVal##A, const int *bsrRowPtr##A,              \
      const int *bsrColInd##A
#define HET_BSR_OUT(T, C)                                                                \
  const cusparseMatDescr_t descr##C, T *bsrVal##C, int *bsrRowPtr##C, int *bsrColInd##C
#define HET_CUSPARSE_GEMVI(name, T)                                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, const T *alpha,    \
   const T *A, int lda, int nnz, const T *xVal, const int *xInd, const T *beta, T *y,    \
   cusparseIndexBase_t idxBase, void *pBuffer)
#define HET_CUSPARSE_GEMVI_SIZE(name)                                                    \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, int nnz,           \
   int *pBufferSize)
#define HET_CUSPARSE_BSRMV(name, T)                                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   int mb, int nb, int nnzb, const T *alpha, HET_BSR(const T, A), int blockDim,          \
   const T *x, const T *beta, T *y)
#define HET_CUSPARSE_BSRXMV(name, T)                                                     \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   int sizeOfMask, int mb, int nb, int nnzb, const T *alpha,                             \
   const cusparseMatDescr_t descrA, const T *bsrValA, const int *bsrMaskPtrA,            \
   const int *bsrRowPtrA, const int *bsrEndPtrA, const int *bsrColIndA, int blockDim,    \
   const T *x, const T *beta, T *y)
#define HET_CUSPARSE_BSRMM(name, T)                                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   cusparseOperation_t transB, int mb, int n, int kb, int nnzb, const T *alpha,          \
   HET_BSR(const T, A), int blockSize, const T *B, int ldb, const T *beta, T *C,         \
   int ldc)
#define HET_CUSPARSE_FACTOR_SIZE(name, T, Info, Size)                                    \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int nnz, HET_CSR(T, A), Info info,                    \
   Size *pBufferSizeInBytes)
#define HET_CUSPARSE_FACTOR_ANALYSIS(name, T, Info)                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int nnz, HET_CSR(const T, A), Info info,              \
   cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_FACTOR(name, T, Info)                                               \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int nnz, HET_CSR(T, A), Info info,                    \
   cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_BOOST(name, T, Info)                                                \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, Info info, int enable_boost, double *tol, T *boost_val)
#define HET_CUSPARSE_ZERO_PIVOT(name, Info)                                              \
  HET_CUSPARSE(name)(cusparseHandle_t handle, Info info, int *position)
#define HET_CUSPARSE_BSR_FACTOR_SIZE(name, T, Info)                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, HET_BSR(T, A),   \
   int blockDim, Info info, int *pBufferSizeInBytes)
#define HET_CUSPARSE_BSR_FACTOR(name, T, Info)                                           \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, HET_BSR(T, A),   \
   int blockDim, Info info, cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_BSRSV_SIZE(name, T)                                                 \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   int mb, int nnzb, HET_BSR(T, A), int blockDim, bsrsv2Info_t info,                     \
   int *pBufferSizeInBytes)
#define HET_CUSPARSE_BSRSV_ANALYSIS(name, T)                                             \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   int mb, int nnzb, HET_BSR(const T, A), int blockDim, bsrsv2Info_t info,               \
   cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_BSRSV(name, T)                                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   int mb, int nnzb, const T *alpha, HET_BSR(const T, A), int blockDim,                  \
   bsrsv2Info_t info, const T *f, T *x, cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_BSRSM_SIZE(name, T)                                                 \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   cusparseOperation_t transXY, int mb, int n, int nnzb, HET_BSR(T, A), int blockSize,   \
   bsrsm2Info_t info, int *pBufferSizeInBytes)
#define HET_CUSPARSE_BSRSM_ANALYSIS(name, T)                                             \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   cusparseOperation_t transXY, int mb, int n, int nnzb, HET_BSR(const T, A),            \
   int blockSize, bsrsm2Info_t info, cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_BSRSM(name, T)                                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,        \
   cusparseOperation_t transXY, int mb, int n, int nnzb, const T *alpha,                 \
   HET_BSR(const T, A), int blockSize, bsrsm2Info_t info, const T *B, int ldb, T *X,     \
   int ldx, cusparseSolvePolicy_t policy, void *pBuffer)
#define HET_CUSPARSE_GTSV_SIZE(name, T)                                                  \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du,          \
   const T *B, int ldb, size_t *bufferSizeInBytes)
#define HET_CUSPARSE_GTSV(name, T)                                                       \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, T *B,    \
   int ldb, void *pBuffer)
#define HET_CUSPARSE_GTSV_STRIDED_SIZE(name, T)                                          \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, const T *x,     \
   int batchCount, int batchStride, size_t *bufferSizeInBytes)
#define HET_CUSPARSE_GTSV_STRIDED(name, T)                                               \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, T *x,           \
   int batchCount, int batchStride, void *pBuffer)
#define HET_CUSPARSE_GTSV_INTERLEAVED_SIZE(name, T)                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int algo, int m, const T *dl, const T *d, const T *du,       \
   const T *x, int batchCount, size_t *pBufferSizeInBytes)
#define HET_CUSPARSE_GTSV_INTERLEAVED(name, T)                                           \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int algo, int m, T *dl, T *d, T *du, T *x, int batchCount,   \
   void *pBuffer)
#define HET_CUSPARSE_GPSV_INTERLEAVED_SIZE(name, T)                                      \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int algo, int m, const T *ds, const T *dl, const T *d,       \
   const T *du, const T *dw, const T *x, int batchCount, size_t *pBufferSizeInBytes)
#define HET_CUSPARSE_GPSV_INTERLEAVED(name, T)                                           \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int algo, int m, T *ds, T *dl, T *d, T *du, T *dw, T *x,     \
   int batchCount, void *pBuffer)
#define HET_CUSPARSE_CSRGEAM_SIZE(name, T)                                               \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *alpha,                                \
   const cusparseMatDescr_t descrA, int nnzA, const T *csrValA, const int *csrRowPtrA,   \
   const int *csrColIndA, const T *beta, const cusparseMatDescr_t descrB, int nnzB,      \
   const T *csrValB, const int *csrRowPtrB, const int *csrColIndB,                       \
   const cusparseMatDescr_t descrC, const T *csrValC, const int *csrRowPtrC,             \
   const int *csrColIndC, size_t *pBufferSizeInBytes)
#define HET_CUSPARSE_CSRGEAM(name, T)                                                    \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *alpha,                                \
   const cusparseMatDescr_t descrA, int nnzA, const T *csrValA, const int *csrRowPtrA,   \
   const int *csrColIndA, const T *beta, const cusparseMatDescr_t descrB, int nnzB,      \
   const T *csrValB, const int *csrRowPtrB, const int *csrColIndB, HET_CSR_OUT(T, C),    \
   void *pBuffer)
#define HET_CUSPARSE_CSRCOLOR(name, T, R)                                                \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int nnz, HET_CSR(const T, A),                         \
   const R *fractionToColor, int *ncolors, int *coloring, int *reordering,               \
   const cusparseColorInfo_t info)
#define HET_CUSPARSE_NNZ(name, T)                                                        \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                      \
   const cusparseMatDescr_t descrA, const T *A, int lda, int *nnzPerRowCol,              \
   int *nnzTotalDevHostPtr)
#define HET_CUSPARSE_NNZ_COMPRESS(name, T)                                               \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, const cusparseMatDescr_t descr, const T *csrValA,     \
   const int *csrRowPtrA, int *nnzPerRow, int *nnzC, T tol)
#define HET_CUSPARSE_CSR_COMPRESS(name, T)                                               \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA,               \
   const T *csrValA, const int *csrColIndA, const int *csrRowPtrA, int nnzA,             \
   const int *nnzPerRow, T *csrValC, int *csrColIndC, int *csrRowPtrC, T tol)
#define HET_CUSPARSE_CSR2CSC                                                             \
  cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,                    \
      const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,          \
      int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,                 \
      cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg
#define HET_CUSPARSE_CSR2BSR(name, T)                                                    \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, HET_CSR(const T, A), \
   int blockDim, HET_BSR_OUT(T, C))
#define HET_CUSPARSE_BSR2CSR(name, T)                                                    \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,                    \
   HET_BSR(const T, A), int blockDim, HET_CSR_OUT(T, C))
#define HET_CUSPARSE_GEBSR2CSR(name, T)                                                  \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,                    \
   HET_BSR(const T, A), int rowBlockDim, int colBlockDim, HET_CSR_OUT(T, C))
#define HET_CUSPARSE_CSR2GEBSR_SIZE(name, T, Size)                                       \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, HET_CSR(const T, A), \
   int rowBlockDim, int colBlockDim, Size *pBufferSizeInBytes)
#define HET_CUSPARSE_CSR2GEBSR(name, T)                                                  \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, HET_CSR(const T, A), \
   HET_BSR_OUT(T, C), int rowBlockDim, int colBlockDim, void *pBuffer)
#define HET_CUSPARSE_COOSORT(name)                                                       \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA, int *P, \
   void *pBuffer)
#define HET_CUSPARSE_SORT_SIZE(name)                                                     \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, int nnz, const int *offsets,                   \
   const int *indices, size_t *pBufferSizeInBytes)
#define HET_CUSPARSE_SORT(name)                                                          \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,      \
   const int *offsets, int *indices, int *P, void *pBuffer)
#define HET_CUSPARSE_PRUNE_DENSE_SIZE(name, T)                                           \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *A, int lda, const T *threshold,       \
   HET_CSR(const T, C), size_t *pBufferSizeInBytes)
#define HET_CUSPARSE_PRUNE_DENSE_NNZ(name, T)                                            \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *A, int lda, const T *threshold,       \
   const cusparseMatDescr_t descrC, int *csrRowPtrC, int *nnzTotalDevHostPtr,            \
   void *pBuffer)
#define HET_CUSPARSE_PRUNE_DENSE(name, T)                                                \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, const T *A, int lda, const T *threshold,       \
   const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC, int *csrColIndC,  \
   void *pBuffer)
#define HET_CUSPARSE_PRUNE_CSR_SIZE(name, T)                                             \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, int nnzA, HET_CSR(const T, A),                 \
   const T *threshold, HET_CSR(const T, C), size_t *pBufferSizeInBytes)
#define HET_CUSPARSE_PRUNE_CSR_NNZ(name, T)                                              \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, int nnzA, HET_CSR(const T, A),                 \
   const T *threshold, const cusparseMatDescr_t descrC, int *csrRowPtrC,                 \
   int *nnzTotalDevHostPtr, void *pBuffer)
#define HET_CUSPARSE_PRUNE_CSR(name, T)                                                  \
  HET_CUSPARSE(name)                                                                     \
  (cusparseHandle_t handle, int m, int n, int nnzA, HET_CSR(const T, A),                 \
   const T *threshold, const cusparseMatDescr_t descrC, T *csrValC,                      \
   const int *csrRowPtrC, int *csrColIndC, void *pBuffer)

#endif // HET_CUSPARSE_SIGNATURES_H
