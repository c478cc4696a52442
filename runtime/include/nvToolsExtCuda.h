// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's names for the driver API's objects: without a profiler, nothing.

#ifndef HET_NVTOOLSEXTCUDA_H
#define HET_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

static inline __attribute__((unused)) void nvtxNameCuDeviceA(CUdevice device,
                                                             const char *name) {
  (void)device;
  (void)name;
}
static inline __attribute__((unused)) void nvtxNameCuStreamA(CUstream stream,
                                                             const char *name) {
  (void)stream;
  (void)name;
}
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuStream nvtxNameCuStreamA

#endif // HET_NVTOOLSEXTCUDA_H
