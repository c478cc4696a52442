// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

extern __device__ int factor;
__device__ int scaled(int value);

__global__ void kernel(int *out) { *out = scaled(4) + factor; }

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  kernel<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("result %d\n", result);
  return 0;
}
