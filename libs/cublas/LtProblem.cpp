// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cublasLtMatmul can do.

#include "LtProblem.h"

using namespace het::blas;

namespace {

bool is8Bits(cudaDataType type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

bool isFloatProblem(cudaDataType scale, cudaDataType a, cudaDataType b, cudaDataType c,
                    cudaDataType d) {
  if (scale != CUDA_R_32F)
    return false;
  if (is8Bits(a) && is8Bits(b))
    return (c == CUDA_R_16F || c == CUDA_R_16BF || c == CUDA_R_32F) &&
           (d == c || (is8Bits(d) && c != CUDA_R_32F));
  if (a != b || c != d)
    return false;
  if (a == CUDA_R_16F || a == CUDA_R_16BF)
    return d == a || d == CUDA_R_32F;
  return (a == CUDA_R_32F || a == CUDA_R_8I) && d == CUDA_R_32F;
}

constexpr uint32_t floatEpilogues[] = {
    CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_RELU_AUX,
    CUBLASLT_EPILOGUE_BIAS,          CUBLASLT_EPILOGUE_RELU_BIAS,
    CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU,
    CUBLASLT_EPILOGUE_DRELU_BGRAD,   CUBLASLT_EPILOGUE_GELU,
    CUBLASLT_EPILOGUE_GELU_AUX,      CUBLASLT_EPILOGUE_GELU_BIAS,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU,
    CUBLASLT_EPILOGUE_DGELU_BGRAD,   CUBLASLT_EPILOGUE_BGRADA,
    CUBLASLT_EPILOGUE_BGRADB};

bool hasEpilogue(const LtProblem &problem) {
  const uint32_t epilogue = problem.description->epilogue;
  if (epilogue == CUBLASLT_EPILOGUE_DEFAULT)
    return true;
  if (problem.sums != Sums::Float || problem.d->order != CUBLASLT_ORDER_COL)
    return false;
  for (uint32_t known : floatEpilogues)
    if (epilogue == known)
      return true;
  return false;
}

bool isSupported(const LtProblem &problem) {
  const MatmulDescription &d = *problem.description;
  const bool scaled = d.scaleA || d.scaleB || d.scaleC || d.scaleD || d.greatestD ||
                      d.scaleAux || d.greatestAux;
  for (const LayoutDescription *layout : {problem.a, problem.b, problem.c, problem.d})
    if (!isKnownOrder(*layout) || layout->planes)
      return false;
  return !scaled && d.transC == CUBLAS_OP_N && d.fillMode == CUBLAS_FILL_MODE_FULL &&
         (d.pointerMode == CUBLASLT_POINTER_MODE_HOST ||
          d.pointerMode == CUBLASLT_POINTER_MODE_DEVICE) &&
         hasEpilogue(problem);
}

bool fits(const LtProblem &problem) {
  const MatmulDescription &d = *problem.description;
  const auto rows = [](const LayoutDescription &layout, int32_t trans) {
    return trans == CUBLAS_OP_N ? layout.rows : layout.columns;
  };
  const auto columns = [](const LayoutDescription &layout, int32_t trans) {
    return trans == CUBLAS_OP_N ? layout.columns : layout.rows;
  };
  const LayoutDescription &a = *problem.a, &b = *problem.b, &c = *problem.c,
                          &result = *problem.d;
  for (const LayoutDescription *layout : {&a, &b, &c, &result})
    if (layout->batch != result.batch || layout->batch < 1 || !hasRoom(*layout))
      return false;
  return isOperation(static_cast<cublasOperation_t>(d.transA)) &&
         isOperation(static_cast<cublasOperation_t>(d.transB)) &&
         rows(a, d.transA) == result.rows && columns(b, d.transB) == result.columns &&
         columns(a, d.transA) == rows(b, d.transB) && c.rows == result.rows &&
         c.columns == result.columns;
}

} // namespace

bool het::blas::findSums(cublasComputeType_t compute, cudaDataType scale, cudaDataType a,
                         cudaDataType b, cudaDataType c, cudaDataType d, Sums &sums) {
  const auto all = [&](cudaDataType type) {
    return scale == type && a == type && b == type && c == type && d == type;
  };
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    sums = Sums::Float;
    return all(CUDA_R_16F);
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    sums = Sums::Integer;
    return scale == CUDA_R_32I && a == CUDA_R_8I && b == CUDA_R_8I && c == CUDA_R_32I &&
           d == CUDA_R_32I;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    sums = scale == CUDA_R_64F ? Sums::Double : Sums::Complex64;
    return all(CUDA_R_64F) || all(CUDA_C_64F);
  default:
    sums = scale == CUDA_C_32F ? Sums::Complex32 : Sums::Float;
    return all(CUDA_C_32F) || isFloatProblem(scale, a, b, c, d);
  }
}

cublasStatus_t het::blas::describe(cublasLtMatmulDesc_t description,
                                   cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                   cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                   LtProblem &problem) {
  if (!description || !a || !b || !c || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  problem.description = &in<MatmulDescription>(description);
  problem.a = &layoutIn(a);
  problem.b = &layoutIn(b);
  problem.c = &layoutIn(c);
  problem.d = &layoutIn(d);
  if (!fits(problem))
    return CUBLAS_STATUS_INVALID_VALUE;
  problem.m = static_cast<Index>(problem.d->rows);
  problem.n = static_cast<Index>(problem.d->columns);
  problem.k = static_cast<Index>(
      problem.description->transA == CUBLAS_OP_N ? problem.a->columns : problem.a->rows);
  return findSums(problem.description->compute, problem.description->scaleType,
                  problem.a->type, problem.b->type, problem.c->type, problem.d->type,
                  problem.sums) &&
                 isSupported(problem)
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_NOT_SUPPORTED;
}

Operand het::blas::operandOf(const LayoutDescription &layout, const void *place) {
  Operand operand;
  operand.base = const_cast<void *>(place);
  operand.type = layout.type;
  operand.stride = layout.stride;
  const bool byRows = layout.order == CUBLASLT_ORDER_ROW;
  operand.rowStep = byRows ? layout.leading : 1;
  operand.columnStep = byRows ? 1 : layout.leading;
  return operand;
}
