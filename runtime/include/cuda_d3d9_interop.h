// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct3D 9 interoperability: declared; no device offers it on this system.

#ifndef HET_CUDA_D3D9_INTEROP_H
#define HET_CUDA_D3D9_INTEROP_H

#include "cuda_runtime_api.h"

struct IDirect3DDevice9;
struct IDirect3DResource9;

enum cudaD3D9DeviceList {
  cudaD3D9DeviceListAll = 1,
  cudaD3D9DeviceListCurrentFrame = 2,
  cudaD3D9DeviceListNextFrame = 3
};

HET_EXTERN_C_BEGIN
cudaError_t cudaD3D9GetDevice(int *device, const char *pszAdapterName);
cudaError_t cudaD3D9GetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices,
                               unsigned int cudaDeviceCount,
                               struct IDirect3DDevice9 *pD3D9Device,
                               enum cudaD3D9DeviceList deviceList);
cudaError_t cudaGraphicsD3D9RegisterResource(struct cudaGraphicsResource **resource,
                                             struct IDirect3DResource9 *pD3DResource,
                                             unsigned int flags);
cudaError_t cudaD3D9SetDirect3DDevice(struct IDirect3DDevice9 *pDxDevice,
                                      int device HET_DEFAULT(-1));
HET_EXTERN_C_END

#endif // HET_CUDA_D3D9_INTEROP_H
