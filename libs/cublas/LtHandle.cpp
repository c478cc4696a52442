// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt's handle, versions, logger and matrix transform, and what it refuses. A cuBLAS
// handle may stand for a cuBLASLt handle, so nothing is in one.

#include "LtProblem.h"
#include "VendorLt.h"
#include "het/Base/Log.h"

#include <memory>
#include <new>

using namespace het::blas;

struct cublasLtContext {
  int device = 0;
};

namespace {

/// Only NVIDIA's library has settings of algorithms.
template <class Call> cublasStatus_t refuse(const char *name, Call call) {
  cublasStatus_t known;
  if (VendorLt *vendor = VendorLt::get(known))
    return vendor->call(call);
  static const het::Status logging = het::setUpLog("het");
  het::log(het::Level::Info,
           "%s: there is one algorithm, without settings: not supported", name);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class T>
cublasStatus_t transform(const TransformDescription &description, const void *alpha,
                         const void *beta, const Operand &a, const Operand &b,
                         const Matrix &c, Index rows, Index columns,
                         cudaStream_t stream) {
  const auto scalar = [&](const void *place) {
    Scalar<T> value;
    if (description.pointerMode == CUBLASLT_POINTER_MODE_DEVICE)
      value.place = place;
    else if (place)
      value.value = *static_cast<const T *>(place);
    return value;
  };
  return convert(
      addMatrices<T>(rows, columns, scalar(alpha), a, scalar(beta), b, c, stream));
}

bool isNarrow(cudaDataType type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }

/// Whether a matrix has the result's size, type and order of elements that kernels have.
bool fits(const LayoutDescription &from, int32_t trans, const LayoutDescription &to) {
  const bool plain = trans == CUBLAS_OP_N;
  return from.type == to.type && (plain ? from.rows : from.columns) == to.rows &&
         (plain ? from.columns : from.rows) == to.columns && hasRoom(from) &&
         isOperation(static_cast<cublasOperation_t>(trans));
}

} // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::unique_ptr<cublasLtContext> context(new (std::nothrow) cublasLtContext);
  if (!context)
    return CUBLAS_STATUS_ALLOC_FAILED;
  if (cudaGetDevice(&context->device) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t status;
  (void)VendorLt::get(status);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  *handle = context.release();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}
size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void) { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  return cublasGetProperty(type, value);
}

// Nothing is searched for, so there is nothing to keep.
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
  if (!capacity)
    return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) { return 0; }

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                       cublasLtMatrixTransformDesc_t description,
                                       const void *alpha, const void *a,
                                       cublasLtMatrixLayout_t layoutA, const void *beta,
                                       const void *b, cublasLtMatrixLayout_t layoutB,
                                       void *c, cublasLtMatrixLayout_t layoutC,
                                       cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!description || !layoutA || !layoutC || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto &how = in<TransformDescription>(description);
  const LayoutDescription &from = layoutIn(layoutA), &to = layoutIn(layoutC),
                          &other = layoutB ? layoutIn(layoutB) : from;
  if (!fits(from, how.transA, to) || (layoutB && !fits(other, how.transB, to)) ||
      !hasRoom(to))
    return CUBLAS_STATUS_INVALID_VALUE;
  const cudaDataType computed = isNarrow(to.type) ? CUDA_R_32F : to.type;
  if (!isKnownOrder(from) || !isKnownOrder(other) || !isKnownOrder(to) || to.batch != 1 ||
      from.batch != 1 || how.scaleType != computed)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  Operand first = operandOf(from, a), second = operandOf(other, b);
  apply(static_cast<cublasOperation_t>(how.transA), first);
  apply(static_cast<cublasOperation_t>(how.transB), second);
  const auto run = [&](auto zero) {
    return transform<decltype(zero)>(how, alpha, layoutB ? beta : nullptr, first, second,
                                     operandOf(to, c), static_cast<Index>(to.rows),
                                     static_cast<Index>(to.columns), stream);
  };
  switch (computed) {
  case CUDA_R_32F:
    return run(float());
  case CUDA_R_64F:
    return run(double());
  case CUDA_C_32F:
    return run(Complex32());
  case CUDA_C_64F:
    return run(Complex64());
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t
cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                  cublasLtMatmulAlgoCapAttributes_t attribute,
                                  void *value, size_t size, size_t *written) {
  return refuse(__func__, [=](const VendorLtFunctions &theirs, cublasLtHandle_t) {
    return theirs.describeAlgorithm(algorithm, attribute, value, size, written);
  });
}
cublasStatus_t
cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
                                     cublasLtMatmulAlgoConfigAttributes_t attribute,
                                     const void *value, size_t size) {
  return refuse(__func__, [=](const VendorLtFunctions &theirs, cublasLtHandle_t) {
    return theirs.setAlgorithm(algorithm, attribute, value, size);
  });
}
cublasStatus_t
cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                     cublasLtMatmulAlgoConfigAttributes_t attribute,
                                     void *value, size_t size, size_t *written) {
  return refuse(__func__, [=](const VendorLtFunctions &theirs, cublasLtHandle_t) {
    return theirs.readAlgorithm(algorithm, attribute, value, size, written);
  });
}

// The library reports by statuses, and logs nothing.
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE *) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char *) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable(void) { return CUBLAS_STATUS_SUCCESS; }
