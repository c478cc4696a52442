// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's names for CUDA's objects: without a profiler, nothing.

#ifndef HET_NVTX3_NVTOOLSEXTCUDART_H
#define HET_NVTX3_NVTOOLSEXTCUDART_H

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

static inline __attribute__((unused)) void nvtxNameCudaDeviceA(int device,
                                                               const char *name) {
  (void)device;
  (void)name;
}
static inline __attribute__((unused)) void nvtxNameCudaStreamA(cudaStream_t stream,
                                                               const char *name) {
  (void)stream;
  (void)name;
}
static inline __attribute__((unused)) void nvtxNameCudaEventA(cudaEvent_t event,
                                                              const char *name) {
  (void)event;
  (void)name;
}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif // HET_NVTX3_NVTOOLSEXTCUDART_H
