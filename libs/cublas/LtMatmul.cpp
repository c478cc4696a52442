// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLtMatmul, and what says which algorithm it will use: the only one.

#include "LtProblem.h"
#include "VendorLt.h"

#include <cuda_fp16.h>

using namespace het::blas;

namespace {

/// What a call is given beside its description.
struct Places {
  const void *alpha, *a, *b, *beta, *c;
  void *d;
};

template <class T>
Scalar<T> scalarOf(const MatmulDescription &description, const void *place) {
  Scalar<T> scalar;
  if (description.pointerMode == CUBLASLT_POINTER_MODE_DEVICE) {
    scalar.place = place;
    scalar.type = description.scaleType;
    return scalar;
  }
  if constexpr (std::is_same_v<T, float>)
    if (description.scaleType == CUDA_R_16F) {
      scalar.value = __half2float(*static_cast<const __half *>(place));
      return scalar;
    }
  scalar.value = *static_cast<const T *>(place);
  return scalar;
}

constexpr uint32_t gradientOfBias = 16, fromA = CUBLASLT_EPILOGUE_BGRADA,
                   fromB = CUBLASLT_EPILOGUE_BGRADB;

cudaDataType biasTypeOf(const LtProblem &problem) {
  const int32_t given = problem.description->biasType;
  return given < 0 ? problem.d->type : static_cast<cudaDataType>(given);
}

Epilogue epilogueOf(const LtProblem &problem) {
  const MatmulDescription &description = *problem.description;
  constexpr struct {
    uint32_t bit;
    int step;
  } meanings[] = {{2, Relu},  {4, AddBias},       {8, ReluGradient},
                  {32, Gelu}, {64, GeluGradient}, {128, StoreAux}};
  Epilogue epilogue;
  for (const auto &meaning : meanings)
    if (description.epilogue & meaning.bit)
      epilogue.steps |= meaning.step;
  epilogue.bias = description.bias;
  epilogue.biasType = biasTypeOf(problem);
  epilogue.biasStride = description.biasStride;
  epilogue.aux = description.aux;
  epilogue.auxType = description.auxType < 0
                         ? problem.d->type
                         : static_cast<cudaDataType>(description.auxType);
  epilogue.auxStep = description.auxLeading;
  epilogue.auxStride = description.auxStride;
  return epilogue;
}

/// Whether what the epilogue reads and writes is there.
bool hasPlaces(const LtProblem &problem) {
  const MatmulDescription &description = *problem.description;
  const uint32_t bits = description.epilogue;
  const bool bias = bits & (4 | gradientOfBias | fromA | fromB);
  const bool signs = (bits & 128) && (bits & (2 | 8));
  return (!bias || description.bias) && (!(bits & 128) || description.aux) &&
         (!(bits & 128) || description.auxLeading >= problem.m) &&
         (!signs || description.auxLeading % 128 == 0);
}

/// Sums of rows, or columns, after or beside the product.
cudaError_t sumForBias(const LtProblem &problem, const Product<float> &product,
                       cudaStream_t stream) {
  const uint32_t bits = problem.description->epilogue;
  Matrix summed;
  Index count = problem.m, length = problem.n;
  if (bits & gradientOfBias) {
    summed = product.d;
  } else if (bits & fromA) {
    summed = product.a;
    length = problem.k;
  } else if (bits & fromB) {
    summed = product.b;
    std::swap(summed.rowStep, summed.columnStep);
    count = problem.n;
    length = problem.k;
  } else {
    return cudaSuccess;
  }
  return sumRows<float>(count, length, summed, problem.description->bias,
                        biasTypeOf(problem), problem.description->biasStride,
                        product.batch, stream);
}

template <class T>
cublasStatus_t run(const LtProblem &problem, const Places &places, cudaStream_t stream) {
  const MatmulDescription &description = *problem.description;
  Product<T> product;
  product.m = problem.m;
  product.n = problem.n;
  product.k = problem.k;
  product.batch = problem.d->batch;
  product.alpha = scalarOf<T>(description, places.alpha);
  product.beta = scalarOf<T>(description, places.beta);
  product.a = operandOf(*problem.a, places.a);
  product.b = operandOf(*problem.b, places.b);
  apply(static_cast<cublasOperation_t>(description.transA), product.a);
  apply(static_cast<cublasOperation_t>(description.transB), product.b);
  product.c = operandOf(*problem.c, places.c);
  product.d = operandOf(*problem.d, places.d);
  if constexpr (std::is_same_v<T, float>) {
    product.epilogue = epilogueOf(problem);
    if (const cudaError_t error = multiply(product, stream); error != cudaSuccess)
      return convert(error);
    return convert(sumForBias(problem, product, stream));
  }
  return convert(multiply(product, stream));
}

VendorLt::Matmul problemOf(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                           cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                           cublasLtMatrixLayout_t d,
                           const cublasLtMatmulAlgo_t *algorithm) {
  VendorLt::Matmul problem = {};
  problem.description = description;
  problem.layoutA = a;
  problem.layoutB = b;
  problem.layoutC = c;
  problem.layoutD = d;
  problem.algorithm = algorithm;
  return problem;
}

/// One algorithm, which needs no workspace.
void tell(cublasLtMatmulHeuristicResult_t &result) {
  result = {};
  result.state = CUBLAS_STATUS_SUCCESS;
  result.wavesCount = 1;
}

} // namespace

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void *alpha, const void *a,
                              cublasLtMatrixLayout_t layoutA, const void *b,
                              cublasLtMatrixLayout_t layoutB, const void *beta,
                              const void *c, cublasLtMatrixLayout_t layoutC, void *d,
                              cublasLtMatrixLayout_t layoutD,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                              size_t workspaceSize, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t known;
  VendorLt *vendor = VendorLt::get(known);
  if (known != CUBLAS_STATUS_SUCCESS)
    return known;
  if (vendor)
    if (const auto status = vendor->multiply({description, alpha, a, layoutA, b, layoutB,
                                              beta, c, layoutC, d, layoutD, algorithm,
                                              workspace, workspaceSize, stream}))
      return *status;
  LtProblem problem;
  if (const cublasStatus_t status =
          describe(description, layoutA, layoutB, layoutC, layoutD, problem);
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!alpha || !beta || !hasPlaces(problem))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Places places = {alpha, a, b, beta, c, d};
  switch (problem.sums) {
  case Sums::Float:
    return run<float>(problem, places, stream);
  case Sums::Double:
    return run<double>(problem, places, stream);
  case Sums::Complex32:
    return run<Complex32>(problem, places, stream);
  case Sums::Complex64:
    return run<Complex64>(problem, places, stream);
  case Sums::Integer:
    return run<int>(problem, places, stream);
  }
  return CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                               cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                               cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                               cublasLtMatmulPreference_t preference, int requested,
                               cublasLtMatmulHeuristicResult_t *results, int *returned) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t known;
  if (!preference || requested <= 0 || !results || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (VendorLt *vendor = VendorLt::get(known))
    return vendor->findAlgorithms(problemOf(description, a, b, c, d, nullptr), preference,
                                  requested, results, returned);
  LtProblem problem;
  const cublasStatus_t status = describe(description, a, b, c, d, problem);
  *returned = status == CUBLAS_STATUS_SUCCESS ? 1 : 0;
  if (*returned)
    tell(results[0]);
  return status;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle,
                                       cublasLtMatmulDesc_t description,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t known;
  if (!algorithm || !result)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (VendorLt *vendor = VendorLt::get(known))
    return vendor->checkAlgorithm(problemOf(description, a, b, c, d, algorithm), result);
  LtProblem problem;
  const cublasStatus_t status = describe(description, a, b, c, d, problem);
  if (status == CUBLAS_STATUS_SUCCESS)
    tell(*result);
  return status;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle,
                                        cublasComputeType_t compute, cudaDataType scale,
                                        cudaDataType a, cudaDataType b, cudaDataType c,
                                        cudaDataType d, int requested, int *ids,
                                        int *returned) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t known;
  if (requested <= 0 || !ids || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (VendorLt *vendor = VendorLt::get(known))
    return vendor->call([&](const VendorLtFunctions &theirs, cublasLtHandle_t own) {
      return theirs.listAlgorithms(own, compute, scale, a, b, c, d, requested, ids,
                                   returned);
    });
  Sums sums;
  *returned = findSums(compute, scale, a, b, c, d, sums) ? 1 : 0;
  if (*returned)
    ids[0] = 0;
  return *returned ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle,
                                      cublasComputeType_t compute, cudaDataType scale,
                                      cudaDataType a, cudaDataType b, cudaDataType c,
                                      cudaDataType d, int id,
                                      cublasLtMatmulAlgo_t *algorithm) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t known;
  if (!algorithm)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (VendorLt *vendor = VendorLt::get(known))
    return vendor->call([&](const VendorLtFunctions &theirs, cublasLtHandle_t own) {
      return theirs.makeAlgorithm(own, compute, scale, a, b, c, d, id, algorithm);
    });
  if (id != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  Sums sums;
  if (!findSums(compute, scale, a, b, c, d, sums))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  *algorithm = {};
  return CUBLAS_STATUS_SUCCESS;
}
