// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product as cublasLt describes it, checked.

#ifndef HET_LIBS_CUBLAS_LTPROBLEM_H
#define HET_LIBS_CUBLAS_LTPROBLEM_H

#include "Descriptions.h"

namespace het::blas {

/// What sums are of.
enum class Sums { Float, Double, Complex32, Complex64, Integer };

struct LtProblem {
  const MatmulDescription *description;
  const LayoutDescription *a, *b, *c, *d;
  Sums sums = Sums::Float;
  Index m = 0, n = 0, k = 0;
};

/// Checks sizes, and whether the kernels do that: CUBLAS_STATUS_NOT_SUPPORTED if not.
cublasStatus_t describe(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                        cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                        cublasLtMatrixLayout_t d, LtProblem &problem);

/// What sums are of for these types, if there is a kernel for them.
bool findSums(cublasComputeType_t compute, cudaDataType scale, cudaDataType a,
              cudaDataType b, cudaDataType c, cudaDataType d, Sums &sums);

/// The matrix of a layout, at a place.
Operand operandOf(const LayoutDescription &layout, const void *place);

/// Whether kernels have an order of elements.
inline bool isKnownOrder(const LayoutDescription &layout) {
  return layout.order == CUBLASLT_ORDER_COL || layout.order == CUBLASLT_ORDER_ROW;
}

/// Whether a leading dimension has room.
inline bool hasRoom(const LayoutDescription &layout) {
  return layout.leading >= static_cast<int64_t>(layout.order == CUBLASLT_ORDER_ROW
                                                    ? layout.columns
                                                    : layout.rows);
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_LTPROBLEM_H
