// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct3D 11 interoperability: declared; no device offers it on this system.

#ifndef HET_CUDA_D3D11_INTEROP_H
#define HET_CUDA_D3D11_INTEROP_H

#include "cuda_runtime_api.h"

struct ID3D11Device;
struct ID3D11Resource;
struct IDXGIAdapter;

enum cudaD3D11DeviceList {
  cudaD3D11DeviceListAll = 1,
  cudaD3D11DeviceListCurrentFrame = 2,
  cudaD3D11DeviceListNextFrame = 3
};

HET_EXTERN_C_BEGIN
cudaError_t cudaD3D11GetDevice(int *device, struct IDXGIAdapter *pAdapter);
cudaError_t cudaD3D11GetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices,
                                unsigned int cudaDeviceCount,
                                struct ID3D11Device *pD3D11Device,
                                enum cudaD3D11DeviceList deviceList);
cudaError_t cudaGraphicsD3D11RegisterResource(struct cudaGraphicsResource **resource,
                                              struct ID3D11Resource *pD3DResource,
                                              unsigned int flags);
cudaError_t cudaD3D11SetDirect3DDevice(struct ID3D11Device *pDxDevice,
                                       int device HET_DEFAULT(-1));
HET_EXTERN_C_END

#endif // HET_CUDA_D3D11_INTEROP_H
