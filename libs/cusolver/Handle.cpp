// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, settings, memory.

#include "HostLapack.h"
#include "Vendor.h"
#include "het/Base/Log.h"

using namespace het;
using namespace het::libs;
using namespace het::solver;

static void startLog() {
  static const Status started = setUpLog("het");
  (void)started;
}

cusolverStatus_t het::solver::convert(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CUSOLVER_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CUSOLVER_STATUS_ALLOC_FAILED;
  case cudaErrorNotSupported:
  case cudaErrorStreamCaptureUnsupported:
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  case cudaErrorNoDevice:
  case cudaErrorInitializationError:
  case cudaErrorInsufficientDriver:
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  default:
    startLog();
    log(Level::Info, "cuSOLVER: %s", cudaGetErrorString(error));
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

cusolverStatus_t het::solver::refuse(const char *function, const char *what) {
  startLog();
  log(Level::Error, "%s: %s", function, what);
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  constexpr int numbers[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *value = numbers[type];
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverDnContext::cusolverDnContext() = default;
cusolverDnContext::~cusolverDnContext() {
  const RelaxedCapture relaxed;
  if (blas)
    (void)cublasDestroy(blas);
}

cudaError_t het::solver::openBlas(cusolverDnHandle_t handle) {
  if (!handle->blas) {
    int current = 0;
    cudaError_t error = cudaGetDevice(&current);
    if (error == cudaSuccess)
      error = cudaSetDevice(handle->device);
    if (error != cudaSuccess)
      return error;
    const cublasStatus_t status = cublasCreate(&handle->blas);
    (void)cudaSetDevice(current);
    if (status != CUBLAS_STATUS_SUCCESS)
      return status == CUBLAS_STATUS_ALLOC_FAILED ? cudaErrorMemoryAllocation
                                                  : cudaErrorInitializationError;
  }
  return cublasSetStream(handle->blas, handle->stream) == CUBLAS_STATUS_SUCCESS
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  std::unique_ptr<cusolverDnContext> context(new (std::nothrow) cusolverDnContext);
  if (!context)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  if (const cudaError_t error = cudaGetDevice(&context->device))
    return error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
                                              : CUSOLVER_STATUS_NOT_INITIALIZED;
  const RelaxedCapture relaxed;
  Result<BackEnd> chosen = chooseBackEnd(
      "cuSOLVER", context->device,
      {[&] { return VendorHandle::create(context->vendor); }, openHostLapack});
  if (!chosen.ok()) {
    log(Level::Error, "%s", chosen.status().text().c_str());
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  }
  context->backEnd = *chosen;
  if (context->vendor)
    context->vendor->ours = context.get();
  // Not when it is first used, which may be in a capture.
  if (const cudaError_t error = openBlas(context.get()))
    return convert(error);
  *handle = context.release();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = new (std::nothrow) cusolverSpContext;
  return *handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

#define HET_HANDLE(Part)                                                                 \
  cusolverStatus_t cusolver##Part##Destroy(cusolver##Part##Handle_t handle) {            \
    const cusolverStatus_t status = check(handle, true);                                 \
    delete handle;                                                                       \
    return status;                                                                       \
  }                                                                                      \
  cusolverStatus_t cusolver##Part##SetStream(cusolver##Part##Handle_t handle,            \
                                             cudaStream_t stream) {                      \
    const cusolverStatus_t status = check(handle, true);                                 \
    if (status == CUSOLVER_STATUS_SUCCESS)                                               \
      handle->stream = stream;                                                           \
    return status;                                                                       \
  }                                                                                      \
  cusolverStatus_t cusolver##Part##GetStream(cusolver##Part##Handle_t handle,            \
                                             cudaStream_t *stream) {                     \
    const cusolverStatus_t status = check(handle, stream);                               \
    if (status == CUSOLVER_STATUS_SUCCESS)                                               \
      *stream = handle->stream;                                                          \
    return status;                                                                       \
  }
HET_HANDLE(Dn)
HET_HANDLE(Sp)

// Results are deterministic in either mode.
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode) {
  const cusolverStatus_t status =
      check(handle, mode == CUSOLVER_DETERMINISTIC_RESULTS ||
                        mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  if (status == CUSOLVER_STATUS_SUCCESS)
    handle->mode = mode;
  return status;
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t *mode) {
  const cusolverStatus_t status = check(handle, mode);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *mode = handle->mode;
  return status;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  if (!params)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *params = new (std::nothrow) cusolverDnParams;
  return *params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
// There is one algorithm.
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
                                         cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo) {
  if (!params || function < CUSOLVERDN_GETRF || function > CUSOLVERDN_POTRF ||
      algo < CUSOLVER_ALG_0 || algo > CUSOLVER_ALG_2)
    return CUSOLVER_STATUS_INVALID_VALUE;
  params->algorithms[function] = algo;
  return CUSOLVER_STATUS_SUCCESS;
}

namespace {

template <class Info> cusolverStatus_t create(Info **info) {
  if (!info)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *info = new (std::nothrow) Info;
  if (!*info)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  const RelaxedCapture relaxed;
  const cudaError_t error =
      cudaMalloc(reinterpret_cast<void **>(&(*info)->progress), sizeof(Progress));
  if (error != cudaSuccess) {
    delete *info;
    *info = nullptr;
  }
  return convert(error);
}

/// Waits for what the last call has done.
cusolverStatus_t fetch(cusolverDnHandle_t handle, const JacobiInfo *info,
                       Progress &progress) {
  const cusolverStatus_t status = check(handle, info);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const cudaError_t error = cudaMemcpyAsync(&progress, info->progress, sizeof(progress),
                                            cudaMemcpyDeviceToHost, handle->stream);
  return convert(error == cudaSuccess ? cudaStreamSynchronize(handle->stream) : error);
}
template <class Value>
cusolverStatus_t tell(cusolverDnHandle_t handle, const JacobiInfo *info, Value *to,
                      Value Progress::*member) {
  Progress progress = {};
  const cusolverStatus_t status =
      to ? fetch(handle, info, progress) : CUSOLVER_STATUS_INVALID_VALUE;
  if (status == CUSOLVER_STATUS_SUCCESS)
    *to = progress.*member;
  return status;
}

} // namespace

#define HET_INFO(name, Name, Place)                                                      \
  cusolverStatus_t cusolverDnCreate##Name##Info(Place *info) { return create(info); }    \
  cusolverStatus_t cusolverDnDestroy##Name##Info(Place info) {                           \
    delete info;                                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                      \
  }                                                                                      \
  cusolverStatus_t cusolverDnX##name##SetTolerance(Place info, double tolerance) {       \
    if (!info || !(tolerance >= 0))                                                      \
      return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    info->iteration.tolerance = tolerance;                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                      \
  }                                                                                      \
  cusolverStatus_t cusolverDnX##name##SetMaxSweeps(Place info, int max_sweeps) {         \
    if (!info || max_sweeps < 1)                                                         \
      return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    info->iteration.maxSweeps = max_sweeps;                                              \
    return CUSOLVER_STATUS_SUCCESS;                                                      \
  }                                                                                      \
  cusolverStatus_t cusolverDnX##name##SetSortEig(Place info, int sort) {                 \
    if (!info)                                                                           \
      return CUSOLVER_STATUS_INVALID_VALUE;                                              \
    info->iteration.sorted = sort != 0;                                                  \
    return CUSOLVER_STATUS_SUCCESS;                                                      \
  }                                                                                      \
  cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, Place info, \
                                                  double *residual) {                    \
    if (info && info->isVendors)                                                         \
      HET_VENDOR(cusolverDnX##name##GetResidual, static_cast<Place>(info->vendors),      \
                 residual);                                                              \
    return tell(handle, info, residual, &Progress::residual);                            \
  }                                                                                      \
  cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, Place info,   \
                                                int *executed_sweeps) {                  \
    if (info && info->isVendors)                                                         \
      HET_VENDOR(cusolverDnX##name##GetSweeps, static_cast<Place>(info->vendors),        \
                 executed_sweeps);                                                       \
    return tell(handle, info, executed_sweeps, &Progress::sweeps);                       \
  }
HET_INFO(syevj, Syevj, syevjInfo_t)
HET_INFO(gesvdj, Gesvdj, gesvdjInfo_t)
