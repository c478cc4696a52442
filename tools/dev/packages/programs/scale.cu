// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plug-in with a kernel, for load_plugin.cpp and for Python's ctypes.
#include <cuda_runtime.h>

__global__ void scale(int *data) { data[threadIdx.x] *= 3; }

/// Returns 3 * (0 + 1 + ... + 7), or a negative error.
extern "C" int run() {
  int numbers[8], sum = 0, *device;
  for (int i = 0; i < 8; ++i)
    numbers[i] = i;
  cudaMalloc(&device, sizeof(numbers));
  cudaMemcpy(device, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  scale<<<1, 8>>>(device);
  if (cudaError_t error = cudaMemcpy(numbers, device, sizeof(numbers), cudaMemcpyDeviceToHost))
    return -error;
  for (int number : numbers)
    sum += number;
  return sum;
}
