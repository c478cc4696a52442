// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is refused: transforms over several devices, and callbacks, which would be code of
// the program's within kernels of the library's.

#include "Plan.h"

using namespace het::fft;

namespace {
constexpr const char *devices = "transforms over several devices",
                     *callbacks = "callbacks in transforms";
} // namespace

cufftResult cufftXtSetGPUs(cufftHandle, int, int *) { return refuse(__func__, devices); }
cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc **, cufftXtSubFormat) {
  return refuse(__func__, devices);
}
cufftResult cufftXtMemcpy(cufftHandle, void *, void *, cufftXtCopyType) {
  return refuse(__func__, devices);
}
cufftResult cufftXtFree(cudaLibXtDesc *) { return refuse(__func__, devices); }
cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) {
  return refuse(__func__, devices);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return refuse(__func__, devices);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return refuse(__func__, devices);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) {
  return refuse(__func__, devices);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return refuse(__func__, devices);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return refuse(__func__, devices);
}
cufftResult cufftXtExecDescriptor(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) {
  return refuse(__func__, devices);
}
cufftResult cufftXtQueryPlan(cufftHandle, void *, cufftXtQueryType) {
  return refuse(__func__, devices);
}

cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType, void **) {
  return refuse(__func__, callbacks);
}
cufftResult cufftXtSetJITCallback(cufftHandle, const char *, const void *, size_t,
                                  cufftXtCallbackType, void **) {
  return refuse(__func__, callbacks);
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle, cufftXtCallbackType, size_t) {
  return refuse(__func__, callbacks);
}

// There is none to clear.
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType) {
  return findPlan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
