// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions on vectors and matrices. Each that takes sizes has a second form
// with sizes of 64 bits.

#ifndef HET_CUBLAS_FUNCTIONS_H
#define HET_CUBLAS_FUNCTIONS_H

#include "cublas_signatures.h"
#include "cublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function, and its form for sizes of 64 bits. */
#define HET_CUBLAS_BOTH(parameters, name, ...)                                           \
  HET_CUBLAS_##parameters(name, int, ##__VA_ARGS__);                                     \
  HET_CUBLAS_##parameters(name##_64, int64_t, ##__VA_ARGS__);

/* Vectors. */
HET_CUBLAS_BOTH(COPY, cublasScopy_v2, float)
HET_CUBLAS_BOTH(COPY, cublasDcopy_v2, double)
HET_CUBLAS_BOTH(COPY, cublasCcopy_v2, cuComplex)
HET_CUBLAS_BOTH(COPY, cublasZcopy_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SWAP, cublasSswap_v2, float)
HET_CUBLAS_BOTH(SWAP, cublasDswap_v2, double)
HET_CUBLAS_BOTH(SWAP, cublasCswap_v2, cuComplex)
HET_CUBLAS_BOTH(SWAP, cublasZswap_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(AXPY, cublasSaxpy_v2, float)
HET_CUBLAS_BOTH(AXPY, cublasDaxpy_v2, double)
HET_CUBLAS_BOTH(AXPY, cublasCaxpy_v2, cuComplex)
HET_CUBLAS_BOTH(AXPY, cublasZaxpy_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SCAL, cublasSscal_v2, float, float)
HET_CUBLAS_BOTH(SCAL, cublasDscal_v2, double, double)
HET_CUBLAS_BOTH(SCAL, cublasCscal_v2, cuComplex, cuComplex)
HET_CUBLAS_BOTH(SCAL, cublasCsscal_v2, cuComplex, float)
HET_CUBLAS_BOTH(SCAL, cublasZscal_v2, cuDoubleComplex, cuDoubleComplex)
HET_CUBLAS_BOTH(SCAL, cublasZdscal_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(DOT, cublasSdot_v2, float)
HET_CUBLAS_BOTH(DOT, cublasDdot_v2, double)
HET_CUBLAS_BOTH(DOT, cublasCdotu_v2, cuComplex)
HET_CUBLAS_BOTH(DOT, cublasCdotc_v2, cuComplex)
HET_CUBLAS_BOTH(DOT, cublasZdotu_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(DOT, cublasZdotc_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(NORM, cublasSnrm2_v2, float, float)
HET_CUBLAS_BOTH(NORM, cublasDnrm2_v2, double, double)
HET_CUBLAS_BOTH(NORM, cublasScnrm2_v2, cuComplex, float)
HET_CUBLAS_BOTH(NORM, cublasDznrm2_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(NORM, cublasSasum_v2, float, float)
HET_CUBLAS_BOTH(NORM, cublasDasum_v2, double, double)
HET_CUBLAS_BOTH(NORM, cublasScasum_v2, cuComplex, float)
HET_CUBLAS_BOTH(NORM, cublasDzasum_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(INDEX, cublasIsamax_v2, float)
HET_CUBLAS_BOTH(INDEX, cublasIdamax_v2, double)
HET_CUBLAS_BOTH(INDEX, cublasIcamax_v2, cuComplex)
HET_CUBLAS_BOTH(INDEX, cublasIzamax_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(INDEX, cublasIsamin_v2, float)
HET_CUBLAS_BOTH(INDEX, cublasIdamin_v2, double)
HET_CUBLAS_BOTH(INDEX, cublasIcamin_v2, cuComplex)
HET_CUBLAS_BOTH(INDEX, cublasIzamin_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(ROT, cublasSrot_v2, float, float, float)
HET_CUBLAS_BOTH(ROT, cublasDrot_v2, double, double, double)
HET_CUBLAS_BOTH(ROT, cublasCrot_v2, cuComplex, float, cuComplex)
HET_CUBLAS_BOTH(ROT, cublasCsrot_v2, cuComplex, float, float)
HET_CUBLAS_BOTH(ROT, cublasZrot_v2, cuDoubleComplex, double, cuDoubleComplex)
HET_CUBLAS_BOTH(ROT, cublasZdrot_v2, cuDoubleComplex, double, double)
HET_CUBLAS_BOTH(ROTM, cublasSrotm_v2, float)
HET_CUBLAS_BOTH(ROTM, cublasDrotm_v2, double)
HET_CUBLAS_ROTG(cublasSrotg_v2, float, float);
HET_CUBLAS_ROTG(cublasDrotg_v2, double, double);
HET_CUBLAS_ROTG(cublasCrotg_v2, cuComplex, float);
HET_CUBLAS_ROTG(cublasZrotg_v2, cuDoubleComplex, double);
HET_CUBLAS_ROTMG(cublasSrotmg_v2, float);
HET_CUBLAS_ROTMG(cublasDrotmg_v2, double);

/* A matrix and vectors. */
HET_CUBLAS_BOTH(GEMV, cublasSgemv_v2, float)
HET_CUBLAS_BOTH(GEMV, cublasDgemv_v2, double)
HET_CUBLAS_BOTH(GEMV, cublasCgemv_v2, cuComplex)
HET_CUBLAS_BOTH(GEMV, cublasZgemv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(GBMV, cublasSgbmv_v2, float)
HET_CUBLAS_BOTH(GBMV, cublasDgbmv_v2, double)
HET_CUBLAS_BOTH(GBMV, cublasCgbmv_v2, cuComplex)
HET_CUBLAS_BOTH(GBMV, cublasZgbmv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TRMV, cublasStrmv_v2, float)
HET_CUBLAS_BOTH(TRMV, cublasDtrmv_v2, double)
HET_CUBLAS_BOTH(TRMV, cublasCtrmv_v2, cuComplex)
HET_CUBLAS_BOTH(TRMV, cublasZtrmv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TBMV, cublasStbmv_v2, float)
HET_CUBLAS_BOTH(TBMV, cublasDtbmv_v2, double)
HET_CUBLAS_BOTH(TBMV, cublasCtbmv_v2, cuComplex)
HET_CUBLAS_BOTH(TBMV, cublasZtbmv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TPMV, cublasStpmv_v2, float)
HET_CUBLAS_BOTH(TPMV, cublasDtpmv_v2, double)
HET_CUBLAS_BOTH(TPMV, cublasCtpmv_v2, cuComplex)
HET_CUBLAS_BOTH(TPMV, cublasZtpmv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TRMV, cublasStrsv_v2, float)
HET_CUBLAS_BOTH(TRMV, cublasDtrsv_v2, double)
HET_CUBLAS_BOTH(TRMV, cublasCtrsv_v2, cuComplex)
HET_CUBLAS_BOTH(TRMV, cublasZtrsv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TBMV, cublasStbsv_v2, float)
HET_CUBLAS_BOTH(TBMV, cublasDtbsv_v2, double)
HET_CUBLAS_BOTH(TBMV, cublasCtbsv_v2, cuComplex)
HET_CUBLAS_BOTH(TBMV, cublasZtbsv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TPMV, cublasStpsv_v2, float)
HET_CUBLAS_BOTH(TPMV, cublasDtpsv_v2, double)
HET_CUBLAS_BOTH(TPMV, cublasCtpsv_v2, cuComplex)
HET_CUBLAS_BOTH(TPMV, cublasZtpsv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SYMV, cublasSsymv_v2, float)
HET_CUBLAS_BOTH(SYMV, cublasDsymv_v2, double)
HET_CUBLAS_BOTH(SYMV, cublasCsymv_v2, cuComplex)
HET_CUBLAS_BOTH(SYMV, cublasZsymv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SYMV, cublasChemv_v2, cuComplex)
HET_CUBLAS_BOTH(SYMV, cublasZhemv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SBMV, cublasSsbmv_v2, float)
HET_CUBLAS_BOTH(SBMV, cublasDsbmv_v2, double)
HET_CUBLAS_BOTH(SBMV, cublasChbmv_v2, cuComplex)
HET_CUBLAS_BOTH(SBMV, cublasZhbmv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SPMV, cublasSspmv_v2, float)
HET_CUBLAS_BOTH(SPMV, cublasDspmv_v2, double)
HET_CUBLAS_BOTH(SPMV, cublasChpmv_v2, cuComplex)
HET_CUBLAS_BOTH(SPMV, cublasZhpmv_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(GER, cublasSger_v2, float)
HET_CUBLAS_BOTH(GER, cublasDger_v2, double)
HET_CUBLAS_BOTH(GER, cublasCgeru_v2, cuComplex)
HET_CUBLAS_BOTH(GER, cublasZgeru_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(GER, cublasCgerc_v2, cuComplex)
HET_CUBLAS_BOTH(GER, cublasZgerc_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SYR, cublasSsyr_v2, float, float)
HET_CUBLAS_BOTH(SYR, cublasDsyr_v2, double, double)
HET_CUBLAS_BOTH(SYR, cublasCsyr_v2, cuComplex, cuComplex)
HET_CUBLAS_BOTH(SYR, cublasZsyr_v2, cuDoubleComplex, cuDoubleComplex)
HET_CUBLAS_BOTH(SYR, cublasCher_v2, cuComplex, float)
HET_CUBLAS_BOTH(SYR, cublasZher_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(SPR, cublasSspr_v2, float, float)
HET_CUBLAS_BOTH(SPR, cublasDspr_v2, double, double)
HET_CUBLAS_BOTH(SPR, cublasChpr_v2, cuComplex, float)
HET_CUBLAS_BOTH(SPR, cublasZhpr_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(SYR2, cublasSsyr2_v2, float)
HET_CUBLAS_BOTH(SYR2, cublasDsyr2_v2, double)
HET_CUBLAS_BOTH(SYR2, cublasCsyr2_v2, cuComplex)
HET_CUBLAS_BOTH(SYR2, cublasZsyr2_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SYR2, cublasCher2_v2, cuComplex)
HET_CUBLAS_BOTH(SYR2, cublasZher2_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SPR2, cublasSspr2_v2, float)
HET_CUBLAS_BOTH(SPR2, cublasDspr2_v2, double)
HET_CUBLAS_BOTH(SPR2, cublasChpr2_v2, cuComplex)
HET_CUBLAS_BOTH(SPR2, cublasZhpr2_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasSgemvBatched, float, float, float)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasDgemvBatched, double, double, double)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasCgemvBatched, cuComplex, cuComplex, cuComplex)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasZgemvBatched, cuDoubleComplex, cuDoubleComplex,
                cuDoubleComplex)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasHSHgemvBatched, __half, __half, float)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasHSSgemvBatched, __half, float, float)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasTSTgemvBatched, __nv_bfloat16, __nv_bfloat16, float)
HET_CUBLAS_BOTH(GEMV_BATCHED, cublasTSSgemvBatched, __nv_bfloat16, float, float)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasSgemvStridedBatched, float, float, float)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasDgemvStridedBatched, double, double, double)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasCgemvStridedBatched, cuComplex, cuComplex, cuComplex)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasZgemvStridedBatched, cuDoubleComplex, cuDoubleComplex,
                cuDoubleComplex)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasHSHgemvStridedBatched, __half, __half, float)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasHSSgemvStridedBatched, __half, float, float)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasTSTgemvStridedBatched, __nv_bfloat16, __nv_bfloat16,
                float)
HET_CUBLAS_BOTH(GEMV_STRIDED, cublasTSSgemvStridedBatched, __nv_bfloat16, float, float)

/* Matrices. */
HET_CUBLAS_BOTH(GEMM, cublasSgemm_v2, float)
HET_CUBLAS_BOTH(GEMM, cublasDgemm_v2, double)
HET_CUBLAS_BOTH(GEMM, cublasCgemm_v2, cuComplex)
HET_CUBLAS_BOTH(GEMM, cublasZgemm_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(GEMM, cublasHgemm, __half)
HET_CUBLAS_BOTH(GEMM, cublasCgemm3m, cuComplex)
HET_CUBLAS_BOTH(GEMM, cublasZgemm3m, cuDoubleComplex)
HET_CUBLAS_BOTH(GEMM_BATCHED, cublasHgemmBatched, __half)
HET_CUBLAS_BOTH(GEMM_BATCHED, cublasSgemmBatched, float)
HET_CUBLAS_BOTH(GEMM_BATCHED, cublasDgemmBatched, double)
HET_CUBLAS_BOTH(GEMM_BATCHED, cublasCgemmBatched, cuComplex)
HET_CUBLAS_BOTH(GEMM_BATCHED, cublasZgemmBatched, cuDoubleComplex)
HET_CUBLAS_BOTH(GEMM_BATCHED, cublasCgemm3mBatched, cuComplex)
HET_CUBLAS_BOTH(GEMM_STRIDED, cublasHgemmStridedBatched, __half)
HET_CUBLAS_BOTH(GEMM_STRIDED, cublasSgemmStridedBatched, float)
HET_CUBLAS_BOTH(GEMM_STRIDED, cublasDgemmStridedBatched, double)
HET_CUBLAS_BOTH(GEMM_STRIDED, cublasCgemmStridedBatched, cuComplex)
HET_CUBLAS_BOTH(GEMM_STRIDED, cublasZgemmStridedBatched, cuDoubleComplex)
HET_CUBLAS_BOTH(GEMM_STRIDED, cublasCgemm3mStridedBatched, cuComplex)
HET_CUBLAS_BOTH(GEMM_TYPES, cublasSgemmEx, float)
HET_CUBLAS_BOTH(GEMM_TYPES, cublasCgemmEx, cuComplex)
HET_CUBLAS_BOTH(GEMM_TYPES, cublasCgemm3mEx, cuComplex)
HET_CUBLAS_BOTH(GEMM_EX, cublasGemmEx)
HET_CUBLAS_BOTH(GEMM_BATCHED_EX, cublasGemmBatchedEx)
HET_CUBLAS_BOTH(GEMM_STRIDED_EX, cublasGemmStridedBatchedEx)
HET_CUBLAS_BOTH(SYMM, cublasSsymm_v2, float)
HET_CUBLAS_BOTH(SYMM, cublasDsymm_v2, double)
HET_CUBLAS_BOTH(SYMM, cublasCsymm_v2, cuComplex)
HET_CUBLAS_BOTH(SYMM, cublasZsymm_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SYMM, cublasChemm_v2, cuComplex)
HET_CUBLAS_BOTH(SYMM, cublasZhemm_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(SYRK, cublasSsyrk_v2, float, float)
HET_CUBLAS_BOTH(SYRK, cublasDsyrk_v2, double, double)
HET_CUBLAS_BOTH(SYRK, cublasCsyrk_v2, cuComplex, cuComplex)
HET_CUBLAS_BOTH(SYRK, cublasZsyrk_v2, cuDoubleComplex, cuDoubleComplex)
HET_CUBLAS_BOTH(SYRK, cublasCherk_v2, cuComplex, float)
HET_CUBLAS_BOTH(SYRK, cublasZherk_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(SYR2K, cublasSsyr2k_v2, float, float)
HET_CUBLAS_BOTH(SYR2K, cublasDsyr2k_v2, double, double)
HET_CUBLAS_BOTH(SYR2K, cublasCsyr2k_v2, cuComplex, cuComplex)
HET_CUBLAS_BOTH(SYR2K, cublasZsyr2k_v2, cuDoubleComplex, cuDoubleComplex)
HET_CUBLAS_BOTH(SYR2K, cublasCher2k_v2, cuComplex, float)
HET_CUBLAS_BOTH(SYR2K, cublasZher2k_v2, cuDoubleComplex, double)
HET_CUBLAS_BOTH(SYR2K, cublasSsyrkx, float, float)
HET_CUBLAS_BOTH(SYR2K, cublasDsyrkx, double, double)
HET_CUBLAS_BOTH(SYR2K, cublasCsyrkx, cuComplex, cuComplex)
HET_CUBLAS_BOTH(SYR2K, cublasZsyrkx, cuDoubleComplex, cuDoubleComplex)
HET_CUBLAS_BOTH(SYR2K, cublasCherkx, cuComplex, float)
HET_CUBLAS_BOTH(SYR2K, cublasZherkx, cuDoubleComplex, double)
HET_CUBLAS_BOTH(TRMM, cublasStrmm_v2, float)
HET_CUBLAS_BOTH(TRMM, cublasDtrmm_v2, double)
HET_CUBLAS_BOTH(TRMM, cublasCtrmm_v2, cuComplex)
HET_CUBLAS_BOTH(TRMM, cublasZtrmm_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TRSM, cublasStrsm_v2, float)
HET_CUBLAS_BOTH(TRSM, cublasDtrsm_v2, double)
HET_CUBLAS_BOTH(TRSM, cublasCtrsm_v2, cuComplex)
HET_CUBLAS_BOTH(TRSM, cublasZtrsm_v2, cuDoubleComplex)
HET_CUBLAS_BOTH(TRSM_BATCHED, cublasStrsmBatched, float)
HET_CUBLAS_BOTH(TRSM_BATCHED, cublasDtrsmBatched, double)
HET_CUBLAS_BOTH(TRSM_BATCHED, cublasCtrsmBatched, cuComplex)
HET_CUBLAS_BOTH(TRSM_BATCHED, cublasZtrsmBatched, cuDoubleComplex)
HET_CUBLAS_BOTH(GEAM, cublasSgeam, float)
HET_CUBLAS_BOTH(GEAM, cublasDgeam, double)
HET_CUBLAS_BOTH(GEAM, cublasCgeam, cuComplex)
HET_CUBLAS_BOTH(GEAM, cublasZgeam, cuDoubleComplex)
HET_CUBLAS_BOTH(DGMM, cublasSdgmm, float)
HET_CUBLAS_BOTH(DGMM, cublasDdgmm, double)
HET_CUBLAS_BOTH(DGMM, cublasCdgmm, cuComplex)
HET_CUBLAS_BOTH(DGMM, cublasZdgmm, cuDoubleComplex)

/* Packed matrices, and many small systems of equations. */
HET_CUBLAS_TPTTR(cublasStpttr, float);
HET_CUBLAS_TPTTR(cublasDtpttr, double);
HET_CUBLAS_TPTTR(cublasCtpttr, cuComplex);
HET_CUBLAS_TPTTR(cublasZtpttr, cuDoubleComplex);
HET_CUBLAS_TRTTP(cublasStrttp, float);
HET_CUBLAS_TRTTP(cublasDtrttp, double);
HET_CUBLAS_TRTTP(cublasCtrttp, cuComplex);
HET_CUBLAS_TRTTP(cublasZtrttp, cuDoubleComplex);
HET_CUBLAS_GETRF(cublasSgetrfBatched, float);
HET_CUBLAS_GETRF(cublasDgetrfBatched, double);
HET_CUBLAS_GETRF(cublasCgetrfBatched, cuComplex);
HET_CUBLAS_GETRF(cublasZgetrfBatched, cuDoubleComplex);
HET_CUBLAS_GETRI(cublasSgetriBatched, float);
HET_CUBLAS_GETRI(cublasDgetriBatched, double);
HET_CUBLAS_GETRI(cublasCgetriBatched, cuComplex);
HET_CUBLAS_GETRI(cublasZgetriBatched, cuDoubleComplex);
HET_CUBLAS_GETRS(cublasSgetrsBatched, float);
HET_CUBLAS_GETRS(cublasDgetrsBatched, double);
HET_CUBLAS_GETRS(cublasCgetrsBatched, cuComplex);
HET_CUBLAS_GETRS(cublasZgetrsBatched, cuDoubleComplex);
HET_CUBLAS_MATINV(cublasSmatinvBatched, float);
HET_CUBLAS_MATINV(cublasDmatinvBatched, double);
HET_CUBLAS_MATINV(cublasCmatinvBatched, cuComplex);
HET_CUBLAS_MATINV(cublasZmatinvBatched, cuDoubleComplex);

#undef HET_CUBLAS_BOTH

#ifdef __cplusplus
}
#endif

#endif // HET_CUBLAS_FUNCTIONS_H
