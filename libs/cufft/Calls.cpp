// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that execute plans, and settings of plans.

#include "Plan.h"

#include <cuda_runtime_api.h>

using namespace het::fft;

namespace {

/// A call for one type of transform; `direction` is that of the type, or given.
cufftResult call(cufftHandle handle, cufftType type, void *in, void *out, int direction) {
  return withPlan(handle, [&](Plan &plan) {
    if (!plan.made)
      return CUFFT_INVALID_PLAN;
    const Problem &problem = plan.problem;
    Problem wanted;
    (void)setType(type, wanted);
    if (problem.in.form != wanted.in.form || problem.out.form != wanted.out.form ||
        problem.doubles != wanted.doubles || problem.in.storage != Storage::Plain ||
        (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
      return CUFFT_INVALID_VALUE;
    return execute(plan, in, out, direction == CUFFT_INVERSE);
  });
}

} // namespace

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata,
                         int direction) {
  return call(plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata) {
  return call(plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata) {
  return call(plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleComplex *odata, int direction) {
  return call(plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata,
                         cufftDoubleComplex *odata) {
  return call(plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleReal *odata) {
  return call(plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}

cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction) {
  return withPlan(handle, [&](Plan &plan) {
    // Transforms of real numbers have one direction.
    const Problem &problem = plan.problem;
    if (problem.in.form == Form::Complex && problem.out.form == Form::Complex &&
        direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
      return CUFFT_INVALID_VALUE;
    const bool inverse = problem.in.form == Form::Hermitian ||
                         (problem.in.form == Form::Complex && direction == CUFFT_INVERSE);
    return execute(plan, input, output, inverse);
  });
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  return withPlan(handle, [&](Plan &plan) {
    plan.stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  return withPlan(handle, [&](Plan &plan) {
    if (!workSize)
      return CUFFT_INVALID_VALUE;
    *workSize = plan.workBytes;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int autoAllocate) {
  return withPlan(handle, [&](Plan &plan) {
    plan.allocates = autoAllocate != 0;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *workArea) {
  return withPlan(handle, [&](Plan &plan) {
    const cudaError_t error = plan.freeOwnWork();
    plan.work = static_cast<char *>(workArea);
    return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
  });
}

cufftResult cufftXtSetWorkArea(cufftHandle plan, void **workArea) {
  return workArea ? cufftSetWorkArea(plan, workArea[0]) : CUFFT_INVALID_VALUE;
}

cufftResult cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy,
                                     size_t *workSize) {
  return withPlan(handle, [&](Plan &plan) {
    if (policy == CUFFT_WORKAREA_USER && workSize)
      return *workSize < plan.workBytes ? CUFFT_INVALID_SIZE : CUFFT_SUCCESS;
    if (policy != CUFFT_WORKAREA_MINIMAL && policy != CUFFT_WORKAREA_PERFORMANCE)
      return CUFFT_INVALID_VALUE;
    if (workSize)
      *workSize = plan.workBytes;
    return CUFFT_SUCCESS;
  });
}

namespace {

/// Where a property is kept; null for one that there is not.
long long *propertyOf(Plan &plan, cufftProperty property) {
  switch (property) {
  case NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT:
    return &plan.patientJit;
  case NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS:
    return &plan.hostThreads;
  }
  return nullptr;
}

/// Properties are set before the plan is made.
cufftResult setProperty(cufftHandle handle, cufftProperty property, long long value) {
  return withPlan(handle, [&](Plan &plan) {
    long long *place = propertyOf(plan, property);
    if (!place || plan.made)
      return CUFFT_NOT_SUPPORTED;
    *place = value;
    return CUFFT_SUCCESS;
  });
}

} // namespace

cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                      const long long int inputValueInt) {
  return setProperty(plan, property, inputValueInt);
}

cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  return setProperty(plan, property, 0);
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty property,
                                      long long int *returnPtrValue) {
  return withPlan(handle, [&](Plan &plan) {
    const long long *place = propertyOf(plan, property);
    if (!place)
      return CUFFT_NOT_SUPPORTED;
    if (!returnPtrValue)
      return CUFFT_INVALID_VALUE;
    *returnPtrValue = *place;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  constexpr int numbers[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUFFT_INVALID_VALUE;
  *value = numbers[type];
  return CUFFT_SUCCESS;
}
