// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API is not ready before cuInit; the runtime API's first call that needs
// devices makes it so, without a context.
// CUDA Runtime API: Interactions with the CUDA Driver API.

#include "Inputs/check.h"
#include <cuda.h>

int main() {
  CUdevice device = -1;
  int count = -1, value = -1;
  CHECK_EQ(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  CHECK_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  CHECK_EQ(device, 0);
  CHECK_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_SUCCESS);
  CHECK_EQ(value, 32);
  CUcontext context = nullptr;
  CHECK_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  CHECK_EQ(context == nullptr, true);
  return check::finish("driver_and_runtime");
}
