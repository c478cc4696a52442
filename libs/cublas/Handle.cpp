// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, and the settings in them.

#include "HostBlas.h"
#include "Vendor.h"
#include "common/Aside.h"
#include "het/Base/Log.h"

#include <memory>
#include <new>

using namespace het;
using namespace het::blas;
using namespace het::libs;

cublasStatus_t het::blas::convert(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CUBLAS_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case cudaErrorNotSupported:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  case cudaErrorNoDevice:
  case cudaErrorInitializationError:
  case cudaErrorInsufficientDriver:
    return CUBLAS_STATUS_NOT_INITIALIZED;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

cublasContext::cublasContext() = default;
cublasContext::~cublasContext() = default;

cudaError_t cublasContext::partials(void **place) {
  for (const auto &[owner, partials] : memory)
    if (owner == stream) {
      *place = partials;
      return cudaSuccess;
    }
  const RelaxedCapture relaxed;
  const cudaError_t error = cudaMalloc(place, reductionBytes + sizeof(Complex64));
  if (error == cudaSuccess)
    try {
      memory.emplace_back(stream, *place);
    } catch (const std::bad_alloc &) {
      (void)cudaFree(*place);
      return cudaErrorMemoryAllocation;
    }
  return error;
}

cudaError_t cublasContext::freePartials() {
  const RelaxedCapture relaxed;
  cudaError_t result = cudaSuccess;
  for (const auto &[owner, partials] : memory)
    if (const cudaError_t error = cudaFree(partials); error != cudaSuccess)
      result = error;
  return result;
}

namespace {

template <class Value>
cublasStatus_t tell(cublasHandle_t handle, Value *to, Value cublasContext::*setting) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!to)
    return CUBLAS_STATUS_INVALID_VALUE;
  *to = handle->*setting;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Value>
cublasStatus_t change(cublasHandle_t handle, Value to, Value cublasContext::*setting,
                      bool valid = true) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid)
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->*setting = to;
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::unique_ptr<cublasContext> context(new (std::nothrow) cublasContext);
  if (!context)
    return CUBLAS_STATUS_ALLOC_FAILED;
  cudaError_t error = cudaGetDevice(&context->device);
  void *partials = nullptr; // those of the default stream, while nothing is captured
  if (error == cudaSuccess)
    error = context->partials(&partials);
  if (error != cudaSuccess)
    return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_NOT_INITIALIZED;
  Result<BackEnd> chosen = chooseBackEnd(
      "cuBLAS", context->device,
      {[&] { return VendorHandle::create(context->vendor); }, openHostBlas});
  if (!chosen.ok()) {
    log(Level::Error, "%s", chosen.status().text().c_str());
    (void)context->freePartials();
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  context->backEnd = *chosen;
  if (context->vendor)
    context->vendor->ours = context.get();
  *handle = context.release();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaError_t error = handle->freePartials();
  delete handle;
  return convert(error);
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version) {
  if (!version)
    return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  constexpr int numbers[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  *value = numbers[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? static_cast<size_t>(version)
                                                        : 0;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  const cublasStatus_t status = change(handle, stream, &cublasContext::stream);
  if (status == CUBLAS_STATUS_SUCCESS) { // a stream has the default workspace at first
    handle->workspace = nullptr;
    handle->workspaceSize = 0;
  }
  return status;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream) {
  return tell(handle, stream, &cublasContext::stream);
}

// Kernels need none, NVIDIA's library may use it.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t size) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (reinterpret_cast<uintptr_t>(workspace) % 256 || (size && !workspace))
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->workspace = workspace;
  handle->workspaceSize = size;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return change(handle, mode, &cublasContext::pointerMode,
                mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode) {
  return tell(handle, mode, &cublasContext::pointerMode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return change(handle, mode, &cublasContext::atomicsMode,
                mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode) {
  return tell(handle, mode, &cublasContext::atomicsMode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  const int kind = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  return change(handle, mode, &cublasContext::mathMode,
                kind >= CUBLAS_DEFAULT_MATH && kind <= CUBLAS_FP32_EMULATED_BF16X9_MATH);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  return tell(handle, mode, &cublasContext::mathMode);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return change(handle, count, &cublasContext::smCountTarget, count >= 0);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count) {
  return tell(handle, count, &cublasContext::smCountTarget);
}
