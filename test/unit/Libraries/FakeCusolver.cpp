// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcusolver.so.12. It has Cholesky's factor of one number, and descriptions
// of its own.

#include "FakeSupport.h"

#include <cmath>
#include <cusolverDn.h>

using namespace fake;

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};
struct cusolverDnParams {
  int algorithms[2] = {0, 0};
};
struct syevjInfo {
  double tolerance = 0;
  int sweeps = 0, sorted = 1;
};

namespace {
cusolverStatus_t noted(std::string call) {
  note(std::move(call));
  return CUSOLVER_STATUS_SUCCESS;
}
} // namespace

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  note("Create");
  if (!hasContext())
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  if (const int status = hetFakeVendor()->createStatus)
    return static_cast<cusolverStatus_t>(status);
  *handle = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  delete handle;
  return noted(hasContext() ? "Destroy" : "Destroy without a context");
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return noted(stream ? "SetStream" : "SetStream 0");
}
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t,
                                                cusolverDeterministicMode_t mode) {
  return noted("SetDeterministicMode " + std::to_string(mode));
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  *params = new cusolverDnParams;
  return noted("CreateParams");
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return noted("DestroyParams");
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
                                         cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
  params->algorithms[function] = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info) {
  *info = new syevjInfo;
  return noted("CreateSyevjInfo");
}
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info) {
  delete info;
  return noted("DestroySyevjInfo");
}
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance) {
  info->tolerance = tolerance;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps) {
  info->sweeps = sweeps;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sorted) {
  info->sorted = sorted;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t, syevjInfo_t info,
                                           int *sweeps) {
  *sweeps = info->sweeps;
  return noted("GetSweeps");
}

cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n,
                                             float *, int, int *size) {
  *size = 77;
  return noted("Spotrf_bufferSize " + std::to_string(n));
}
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t, int n,
                                  float *a, int, float *, int size, int *info) {
  note("Spotrf " + std::to_string(n) + " with " + std::to_string(size));
  const auto work = [=] {
    *info = *a > 0 ? 0 : 1;
    if (*a > 0)
      *a = std::sqrt(*a);
  };
  return enqueueWork(handle->stream, work) ? CUSOLVER_STATUS_SUCCESS
                                           : CUSOLVER_STATUS_EXECUTION_FAILED;
}
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,
                                  int n, float *, int, float *, float *, int, int *,
                                  syevjInfo_t how) {
  return noted("Ssyevj " + std::to_string(n) + " of " + std::to_string(how->sweeps) +
               (how->sorted ? " sorted" : ""));
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t, cusolverDnParams_t params,
                                  cublasFillMode_t, int64_t n, cudaDataType, void *,
                                  int64_t, cudaDataType, void *, size_t, void *, size_t,
                                  int *) {
  return noted("Xpotrf " + std::to_string(n) + " by " +
               std::to_string(params->algorithms[CUSOLVERDN_POTRF]));
}
