// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of cuBLASLt's descriptions.

#ifndef HET_LIBS_CUBLAS_DESCRIPTIONS_H
#define HET_LIBS_CUBLAS_DESCRIPTIONS_H

#include "Library.h"

#pragma GCC visibility push(default)
#include <cublasLt.h>
#pragma GCC visibility pop

#include <functional>

namespace het::blas {

struct LayoutDescription {
  cudaDataType type = CUDA_R_32F;
  int32_t order = CUBLASLT_ORDER_COL;
  uint64_t rows = 0, columns = 0;
  int64_t leading = 0, stride = 0, planes = 0;
  int32_t batch = 1;
};

struct MatmulDescription {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scaleType = CUDA_R_32F;
  int32_t pointerMode = CUBLASLT_POINTER_MODE_HOST;
  int32_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N, transC = CUBLAS_OP_N;
  int32_t fillMode = CUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void *bias = nullptr;
  int64_t biasStride = 0;
  int32_t biasType = -1; ///< As D's.
  int32_t auxType = -1;  ///< As D's.
  void *aux = nullptr;
  int64_t auxLeading = 0, auxStride = 0, alphaStride = 0;
  int32_t smCount = 0;
  int8_t fastSum = 0;
  /// What would scale operands, or be told of their greatest values.
  void *scaleA = nullptr, *scaleB = nullptr, *scaleC = nullptr, *scaleD = nullptr,
       *greatestD = nullptr, *scaleAux = nullptr, *greatestAux = nullptr;
};

struct TransformDescription {
  cudaDataType scaleType = CUDA_R_32F;
  int32_t pointerMode = CUBLASLT_POINTER_MODE_HOST;
  int32_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N;
};

struct PreferenceDescription {
  uint32_t searchMode = CUBLASLT_SEARCH_BEST_FIT;
  uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  uint64_t workspace = 0, implementations = ~uint64_t(0);
  uint32_t alignmentA = 256, alignmentB = 256, alignmentC = 256, alignmentD = 256;
  float waves = 0;
};

/// The description in storage of the interface's.
template <class Description, class Opaque> Description &in(Opaque *storage) {
  static_assert(sizeof(Description) <= sizeof(Opaque));
  static_assert(alignof(Description) <= alignof(Opaque));
  return *reinterpret_cast<Description *>(storage);
}
inline const LayoutDescription &layoutIn(cublasLtMatrixLayout_t layout) {
  return in<LayoutDescription>(layout);
}

/// Calls `set` for each attribute that is not as in a new description, until one fails;
/// what it says then.
using SetAttribute =
    std::function<cublasStatus_t(int attribute, const void *value, size_t size)>;
cublasStatus_t forEachChange(const LayoutDescription &, const SetAttribute &set);
cublasStatus_t forEachChange(const MatmulDescription &, const SetAttribute &set);
cublasStatus_t forEachChange(const PreferenceDescription &, const SetAttribute &set);

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_DESCRIPTIONS_H
