// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGetDeviceProperties of libcudart.so.13, whose structure has other members than
// CUDA 12's.

#include <cuda_runtime_api.h>
#include <string.h>

struct Properties13 {
#define OLD(type, name, extent) type name extent;
#define NEW(type, name, extent) type name extent;
#include "Properties13.def"
};

_Static_assert(sizeof(struct Properties13) == 1008, "CUDA 13's size");

cudaError_t hetGetProperties12(struct cudaDeviceProp *properties, int device);

cudaError_t cudaGetDeviceProperties13(struct Properties13 *properties, int device)
    __asm__("cudaGetDeviceProperties");

cudaError_t cudaGetDeviceProperties13(struct Properties13 *properties, int device) {
  struct cudaDeviceProp old;
  const cudaError_t error = hetGetProperties12(properties ? &old : NULL, device);
  if (error != cudaSuccess)
    return error;
  memset(properties, 0, sizeof *properties);
#define OLD(type, name, extent)                                                          \
  memcpy(&properties->name, &old.name, sizeof properties->name);
#define NEW(type, name, extent)
#include "Properties13.def"
  properties->deviceNumaId = properties->hostNumaId = -1;
  return cudaSuccess;
}
