// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct3D 10 interoperability: declared; no device offers it on this system.

#ifndef HET_CUDA_D3D10_INTEROP_H
#define HET_CUDA_D3D10_INTEROP_H

#include "cuda_runtime_api.h"

struct ID3D10Device;
struct ID3D10Resource;
struct IDXGIAdapter;

enum cudaD3D10DeviceList {
  cudaD3D10DeviceListAll = 1,
  cudaD3D10DeviceListCurrentFrame = 2,
  cudaD3D10DeviceListNextFrame = 3
};

HET_EXTERN_C_BEGIN
cudaError_t cudaD3D10GetDevice(int *device, struct IDXGIAdapter *pAdapter);
cudaError_t cudaD3D10GetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices,
                                unsigned int cudaDeviceCount,
                                struct ID3D10Device *pD3D10Device,
                                enum cudaD3D10DeviceList deviceList);
cudaError_t cudaGraphicsD3D10RegisterResource(struct cudaGraphicsResource **resource,
                                              struct ID3D10Resource *pD3DResource,
                                              unsigned int flags);
cudaError_t cudaD3D10SetDirect3DDevice(struct ID3D10Device *pDxDevice,
                                       int device HET_DEFAULT(-1));
HET_EXTERN_C_END

#endif // HET_CUDA_D3D10_INTEROP_H
