// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's names for the driver API's objects.

#ifndef HET_NVTX3_NVTOOLSEXTCUDA_H
#define HET_NVTX3_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

#define NVTX_RESOURCE_TYPE_CUDA_DEVICE 0x40001
#define NVTX_RESOURCE_TYPE_CUDA_CONTEXT 0x40002
#define NVTX_RESOURCE_TYPE_CUDA_STREAM 0x40003
#define NVTX_RESOURCE_TYPE_CUDA_EVENT 0x40004

#ifdef __cplusplus
extern "C" {
#endif

HET_NVTX_VOID(hetNvtxCuda, 1, nvtxNameCuDeviceA, (CUdevice device, const char *name),
              (device, name))
HET_NVTX_VOID(hetNvtxCuda, 2, nvtxNameCuDeviceW, (CUdevice device, const wchar_t *name),
              (device, name))
HET_NVTX_VOID(hetNvtxCuda, 3, nvtxNameCuContextA, (CUcontext context, const char *name),
              (context, name))
HET_NVTX_VOID(hetNvtxCuda, 4, nvtxNameCuContextW,
              (CUcontext context, const wchar_t *name), (context, name))
HET_NVTX_VOID(hetNvtxCuda, 5, nvtxNameCuStreamA, (CUstream stream, const char *name),
              (stream, name))
HET_NVTX_VOID(hetNvtxCuda, 6, nvtxNameCuStreamW, (CUstream stream, const wchar_t *name),
              (stream, name))
HET_NVTX_VOID(hetNvtxCuda, 7, nvtxNameCuEventA, (CUevent event, const char *name),
              (event, name))
HET_NVTX_VOID(hetNvtxCuda, 8, nvtxNameCuEventW, (CUevent event, const wchar_t *name),
              (event, name))

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif // HET_NVTX3_NVTOOLSEXTCUDA_H
