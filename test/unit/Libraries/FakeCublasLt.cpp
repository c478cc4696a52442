// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcublasLt.so.13. Its descriptions are its own: sizes and what was set.

#include "FakeSupport.h"

using namespace fake;

namespace {

struct Layout {
  int rows, columns, leading;
};

/// In the storage of the interface's descriptions.
template <class To, class From> To &in(From *storage) {
  return *reinterpret_cast<To *>(storage);
}

cublasStatus_t noted(const char *name) {
  note(name);
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

struct cublasLtContext {};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  note("LtCreate");
  if (!hasContext())
    return CUBLAS_STATUS_INTERNAL_ERROR;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *made,
                                        cublasComputeType_t compute, cudaDataType) {
  note("Matmul of compute type " + std::to_string(compute));
  *made = new cublasLtMatmulDescOpaque_t();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t size) {
  note("Matmul attribute " + std::to_string(attribute) + " = " +
       std::to_string(size == 4 ? *static_cast<const int *>(value) : -1));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  delete description;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType,
                                          uint64_t rows, uint64_t columns,
                                          int64_t leading) {
  *made = new cublasLtMatrixLayoutOpaque_t();
  in<Layout>(*made) = {static_cast<int>(rows), static_cast<int>(columns),
                       static_cast<int>(leading)};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t,
                                                cublasLtMatrixLayoutAttribute_t,
                                                const void *, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *made) {
  *made = new cublasLtMatmulPreferenceOpaque_t();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                     cublasLtMatmulPreferenceAttributes_t attribute,
                                     const void *, size_t) {
  note("Preference attribute " + std::to_string(attribute));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t layoutA,
                              const void *b, cublasLtMatrixLayout_t layoutB,
                              const void *beta, const void *c,
                              cublasLtMatrixLayout_t layoutC, void *d,
                              cublasLtMatrixLayout_t layoutD,
                              const cublasLtMatmulAlgo_t *algorithm, void *, size_t,
                              cudaStream_t stream) {
  note("Matmul with algorithm " + std::to_string(algorithm ? algorithm->data[0] : 0));
  hetFakeVendor()->streams.push_back(stream);
  const auto &left = in<Layout>(layoutA), &right = in<Layout>(layoutB);
  return enqueue(
      stream, {left.rows, right.columns, left.columns, *static_cast<const float *>(alpha),
               static_cast<const float *>(a), left.leading, static_cast<const float *>(b),
               right.leading, *static_cast<const float *>(beta),
               static_cast<const float *>(c), in<Layout>(layoutC).leading,
               static_cast<float *>(d), in<Layout>(layoutD).leading});
}

cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                               cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                               cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                               cublasLtMatmulPreference_t, int,
                               cublasLtMatmulHeuristicResult_t *results, int *returned) {
  *results = {};
  results->algo.data[0] = 7;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                       cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                       cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                       const cublasLtMatmulAlgo_t *,
                                       cublasLtMatmulHeuristicResult_t *) {
  return noted(__func__);
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t, cublasComputeType_t,
                                        cudaDataType, cudaDataType, cudaDataType,
                                        cudaDataType, cudaDataType, int, int *, int *) {
  return noted(__func__);
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t, cublasComputeType_t, cudaDataType,
                                      cudaDataType, cudaDataType, cudaDataType,
                                      cudaDataType, int, cublasLtMatmulAlgo_t *) {
  return noted(__func__);
}
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *,
                                                 cublasLtMatmulAlgoCapAttributes_t,
                                                 void *, size_t, size_t *) {
  return noted(__func__);
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *,
                                                    cublasLtMatmulAlgoConfigAttributes_t,
                                                    const void *, size_t) {
  return noted(__func__);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *,
                                                    cublasLtMatmulAlgoConfigAttributes_t,
                                                    void *, size_t, size_t *) {
  return noted(__func__);
}
