// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cuda_runtime_api.h>

int main() {
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  std::printf("devices: %d\n", count);
  return error != cudaSuccess;
}
