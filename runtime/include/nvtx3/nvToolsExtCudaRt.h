// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's names for the runtime API's objects.

#ifndef HET_NVTX3_NVTOOLSEXTCUDART_H
#define HET_NVTX3_NVTOOLSEXTCUDART_H

#include "driver_types.h"
#include "nvtx3/nvToolsExt.h"

#define NVTX_RESOURCE_TYPE_CUDART_DEVICE 0x50000
#define NVTX_RESOURCE_TYPE_CUDART_STREAM 0x50001
#define NVTX_RESOURCE_TYPE_CUDART_EVENT 0x50002

#ifdef __cplusplus
extern "C" {
#endif

HET_NVTX_VOID(hetNvtxCudaRt, 1, nvtxNameCudaDeviceA, (int device, const char *name),
              (device, name))
HET_NVTX_VOID(hetNvtxCudaRt, 2, nvtxNameCudaDeviceW, (int device, const wchar_t *name),
              (device, name))
HET_NVTX_VOID(hetNvtxCudaRt, 3, nvtxNameCudaStreamA,
              (cudaStream_t stream, const char *name), (stream, name))
HET_NVTX_VOID(hetNvtxCudaRt, 4, nvtxNameCudaStreamW,
              (cudaStream_t stream, const wchar_t *name), (stream, name))
HET_NVTX_VOID(hetNvtxCudaRt, 5, nvtxNameCudaEventA, (cudaEvent_t event, const char *name),
              (event, name))
HET_NVTX_VOID(hetNvtxCudaRt, 6, nvtxNameCudaEventW,
              (cudaEvent_t event, const wchar_t *name), (event, name))

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif // HET_NVTX3_NVTOOLSEXTCUDART_H
