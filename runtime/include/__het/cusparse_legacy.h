// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of cuSPARSE that have the type of numbers in their names, and what belongs to
// them. cuSPARSE documentation 12.9: chapter 5.

#ifndef HET_CUSPARSE_LEGACY_H
#define HET_CUSPARSE_LEGACY_H

#include "cusparse_signatures.h"

/* Properties of matrices. */
HET_CUSPARSE(cusparseCreateMatDescr)(cusparseMatDescr_t *descrA);
HET_CUSPARSE(cusparseDestroyMatDescr)(cusparseMatDescr_t descrA);
HET_CUSPARSE(cusparseSetMatType)(cusparseMatDescr_t descrA, cusparseMatrixType_t type);
cusparseMatrixType_t CUSPARSEAPI cusparseGetMatType(const cusparseMatDescr_t descrA);
HET_CUSPARSE(cusparseSetMatFillMode)
(cusparseMatDescr_t descrA, cusparseFillMode_t fillMode);
cusparseFillMode_t CUSPARSEAPI cusparseGetMatFillMode(const cusparseMatDescr_t descrA);
HET_CUSPARSE(cusparseSetMatDiagType)
(cusparseMatDescr_t descrA, cusparseDiagType_t diagType);
cusparseDiagType_t CUSPARSEAPI cusparseGetMatDiagType(const cusparseMatDescr_t descrA);
HET_CUSPARSE(cusparseSetMatIndexBase)
(cusparseMatDescr_t descrA, cusparseIndexBase_t base);
cusparseIndexBase_t CUSPARSEAPI cusparseGetMatIndexBase(const cusparseMatDescr_t descrA);

#define HET_CUSPARSE_INFO(Name, Info)                                                    \
  HET_CUSPARSE(cusparseCreate##Name)(Info * info);                                       \
  HET_CUSPARSE(cusparseDestroy##Name)(Info info);
HET_CUSPARSE_INFO(Csrilu02Info, csrilu02Info_t)
HET_CUSPARSE_INFO(Csric02Info, csric02Info_t)
HET_CUSPARSE_INFO(Bsrilu02Info, bsrilu02Info_t)
HET_CUSPARSE_INFO(Bsric02Info, bsric02Info_t)
HET_CUSPARSE_INFO(Bsrsv2Info, bsrsv2Info_t)
HET_CUSPARSE_INFO(Bsrsm2Info, bsrsm2Info_t)
HET_CUSPARSE_INFO(Csru2csrInfo, csru2csrInfo_t)
HET_CUSPARSE_INFO(PruneInfo, pruneInfo_t)
HET_CUSPARSE_INFO(ColorInfo, cusparseColorInfo_t)
#undef HET_CUSPARSE_INFO

/* y = alpha op(A) x + beta y; x sparse, or A of blocks. */

/* Factors of the pattern of A: A = L U, or L L^H. `Info` says which. */
HET_CUSPARSE_ZERO_PIVOT(cusparseXcsrilu02_zeroPivot, csrilu02Info_t);
HET_CUSPARSE_ZERO_PIVOT(cusparseXcsric02_zeroPivot, csric02Info_t);
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsrilu02_zeroPivot, bsrilu02Info_t);
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsric02_zeroPivot, bsric02Info_t);
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsrsv2_zeroPivot, bsrsv2Info_t);
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsrsm2_zeroPivot, bsrsm2Info_t);

/* Matrices of three and five diagonals. */

/* C = alpha A + beta B. */
HET_CUSPARSE(cusparseXcsrgeam2Nnz)
(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, int nnzA,
 const int *csrRowPtrA, const int *csrColIndA, const cusparseMatDescr_t descrB, int nnzB,
 const int *csrRowPtrB, const int *csrColIndB, const cusparseMatDescr_t descrC,
 int *csrRowPtrC, int *nnzTotalDevHostPtr, void *workspace);

/* Conversions. */
HET_CUSPARSE(cusparseXcoo2csr)
(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m, int *csrRowPtr,
 cusparseIndexBase_t idxBase);
HET_CUSPARSE(cusparseXcsr2coo)
(cusparseHandle_t handle, const int *csrRowPtr, int nnz, int m, int *cooRowInd,
 cusparseIndexBase_t idxBase);
HET_CUSPARSE(cusparseCsr2cscEx2)(HET_CUSPARSE_CSR2CSC, void *buffer);
HET_CUSPARSE(cusparseCsr2cscEx2_bufferSize)(HET_CUSPARSE_CSR2CSC, size_t *bufferSize);

/* Blocks are stored by rows or by columns (dirA). */
HET_CUSPARSE(cusparseXcsr2bsrNnz)
(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
 const cusparseMatDescr_t descrA, const int *csrRowPtrA, const int *csrColIndA,
 int blockDim, const cusparseMatDescr_t descrC, int *bsrRowPtrC, int *nnzTotalDevHostPtr);
HET_CUSPARSE(cusparseXcsr2gebsrNnz)
(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
 const cusparseMatDescr_t descrA, const int *csrRowPtrA, const int *csrColIndA,
 const cusparseMatDescr_t descrC, int *bsrRowPtrC, int rowBlockDim, int colBlockDim,
 int *nnzTotalDevHostPtr, void *pBuffer);

/* Sorting; P is the order of the elements as they were. */
HET_CUSPARSE(cusparseCreateIdentityPermutation)(cusparseHandle_t handle, int n, int *p);
HET_CUSPARSE(cusparseXcoosort_bufferSizeExt)
(cusparseHandle_t handle, int m, int n, int nnz, const int *cooRowsA, const int *cooColsA,
 size_t *pBufferSizeInBytes);
HET_CUSPARSE_COOSORT(cusparseXcoosortByRow);
HET_CUSPARSE_COOSORT(cusparseXcoosortByColumn);
HET_CUSPARSE_SORT_SIZE(cusparseXcsrsort_bufferSizeExt);
HET_CUSPARSE_SORT(cusparseXcsrsort);
HET_CUSPARSE_SORT_SIZE(cusparseXcscsort_bufferSizeExt);
HET_CUSPARSE_SORT(cusparseXcscsort);

/* Without elements up to a threshold. */

/* All of a type. */
#define HET_CUSPARSE_FACTORS(begin, T, factor, Info)                                     \
  HET_CUSPARSE_FACTOR_SIZE(begin##csr##factor##_bufferSize, T, Info, int);               \
  HET_CUSPARSE_FACTOR_SIZE(begin##csr##factor##_bufferSizeExt, T, Info, size_t);         \
  HET_CUSPARSE_FACTOR_ANALYSIS(begin##csr##factor##_analysis, T, Info);                  \
  HET_CUSPARSE_FACTOR(begin##csr##factor, T, Info);
#define HET_CUSPARSE_BSR_FACTORS(begin, T, factor, Info)                                 \
  HET_CUSPARSE_BSR_FACTOR_SIZE(begin##bsr##factor##_bufferSize, T, Info);                \
  HET_CUSPARSE_BSR_FACTOR(begin##bsr##factor##_analysis, T, Info);                       \
  HET_CUSPARSE_BSR_FACTOR(begin##bsr##factor, T, Info);
#define HET_CUSPARSE_LEGACY(begin, T, R)                                                 \
  HET_CUSPARSE_GEMVI(begin##gemvi, T);                                                   \
  HET_CUSPARSE_GEMVI_SIZE(begin##gemvi_bufferSize);                                      \
  HET_CUSPARSE_BSRMV(begin##bsrmv, T);                                                   \
  HET_CUSPARSE_BSRXMV(begin##bsrxmv, T);                                                 \
  HET_CUSPARSE_BSRMM(begin##bsrmm, T);                                                   \
  HET_CUSPARSE_FACTORS(begin, T, ilu02, csrilu02Info_t)                                  \
  HET_CUSPARSE_FACTORS(begin, T, ic02, csric02Info_t)                                    \
  HET_CUSPARSE_BOOST(begin##csrilu02_numericBoost, T, csrilu02Info_t);                   \
  HET_CUSPARSE_BSR_FACTORS(begin, T, ilu02, bsrilu02Info_t)                              \
  HET_CUSPARSE_BSR_FACTORS(begin, T, ic02, bsric02Info_t)                                \
  HET_CUSPARSE_BOOST(begin##bsrilu02_numericBoost, T, bsrilu02Info_t);                   \
  HET_CUSPARSE_BSRSV_SIZE(begin##bsrsv2_bufferSize, T);                                  \
  HET_CUSPARSE_BSRSV_ANALYSIS(begin##bsrsv2_analysis, T);                                \
  HET_CUSPARSE_BSRSV(begin##bsrsv2_solve, T);                                            \
  HET_CUSPARSE_BSRSM_SIZE(begin##bsrsm2_bufferSize, T);                                  \
  HET_CUSPARSE_BSRSM_ANALYSIS(begin##bsrsm2_analysis, T);                                \
  HET_CUSPARSE_BSRSM(begin##bsrsm2_solve, T);                                            \
  HET_CUSPARSE_GTSV_SIZE(begin##gtsv2_bufferSizeExt, T);                                 \
  HET_CUSPARSE_GTSV(begin##gtsv2, T);                                                    \
  HET_CUSPARSE_GTSV_SIZE(begin##gtsv2_nopivot_bufferSizeExt, T);                         \
  HET_CUSPARSE_GTSV(begin##gtsv2_nopivot, T);                                            \
  HET_CUSPARSE_GTSV_STRIDED_SIZE(begin##gtsv2StridedBatch_bufferSizeExt, T);             \
  HET_CUSPARSE_GTSV_STRIDED(begin##gtsv2StridedBatch, T);                                \
  HET_CUSPARSE_GTSV_INTERLEAVED_SIZE(begin##gtsvInterleavedBatch_bufferSizeExt, T);      \
  HET_CUSPARSE_GTSV_INTERLEAVED(begin##gtsvInterleavedBatch, T);                         \
  HET_CUSPARSE_GPSV_INTERLEAVED_SIZE(begin##gpsvInterleavedBatch_bufferSizeExt, T);      \
  HET_CUSPARSE_GPSV_INTERLEAVED(begin##gpsvInterleavedBatch, T);                         \
  HET_CUSPARSE_CSRGEAM_SIZE(begin##csrgeam2_bufferSizeExt, T);                           \
  HET_CUSPARSE_CSRGEAM(begin##csrgeam2, T);                                              \
  HET_CUSPARSE_CSRCOLOR(begin##csrcolor, T, R);                                          \
  HET_CUSPARSE_NNZ(begin##nnz, T);                                                       \
  HET_CUSPARSE_NNZ_COMPRESS(begin##nnz_compress, T);                                     \
  HET_CUSPARSE_CSR_COMPRESS(begin##csr2csr_compress, T);                                 \
  HET_CUSPARSE_CSR2BSR(begin##csr2bsr, T);                                               \
  HET_CUSPARSE_BSR2CSR(begin##bsr2csr, T);                                               \
  HET_CUSPARSE_GEBSR2CSR(begin##gebsr2csr, T);                                           \
  HET_CUSPARSE_CSR2GEBSR_SIZE(begin##csr2gebsr_bufferSize, T, int);                      \
  HET_CUSPARSE_CSR2GEBSR_SIZE(begin##csr2gebsr_bufferSizeExt, T, size_t);                \
  HET_CUSPARSE_CSR2GEBSR(begin##csr2gebsr, T);
HET_CUSPARSE_LEGACY(cusparseS, float, float)
HET_CUSPARSE_LEGACY(cusparseD, double, double)
HET_CUSPARSE_LEGACY(cusparseC, cuComplex, float)
HET_CUSPARSE_LEGACY(cusparseZ, cuDoubleComplex, double)

#define HET_CUSPARSE_PRUNES(begin, T)                                                    \
  HET_CUSPARSE_PRUNE_DENSE_SIZE(begin##Dense2csr_bufferSizeExt, T);                      \
  HET_CUSPARSE_PRUNE_DENSE_NNZ(begin##Dense2csrNnz, T);                                  \
  HET_CUSPARSE_PRUNE_DENSE(begin##Dense2csr, T);                                         \
  HET_CUSPARSE_PRUNE_CSR_SIZE(begin##Csr2csr_bufferSizeExt, T);                          \
  HET_CUSPARSE_PRUNE_CSR_NNZ(begin##Csr2csrNnz, T);                                      \
  HET_CUSPARSE_PRUNE_CSR(begin##Csr2csr, T);
HET_CUSPARSE_PRUNES(cusparseSprune, float)
HET_CUSPARSE_PRUNES(cusparseDprune, double)

#endif // HET_CUSPARSE_LEGACY_H
