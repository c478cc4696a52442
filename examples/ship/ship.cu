// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program and its kernels, delivered as two files: the program holds only the
// package's name and looks for it beside itself, then in HET_PACKAGE_PATH.
//
//   hetcc ship.cu --het-package=ship.hetpkg -o ship
//   hetpkg show ship.hetpkg && ./ship

#include <cstdio>

__global__ void fibonacci(unsigned long long *numbers, int n) {
  unsigned long long a = 0, b = 1;
  for (int i = 0; i < n; ++i) {
    numbers[i] = a;
    unsigned long long next = a + b;
    a = b;
    b = next;
  }
}

int main() {
  const int n = 20;
  unsigned long long numbers[n], *device;
  cudaMalloc(&device, sizeof(numbers));
  fibonacci<<<1, 1>>>(device, n);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpy(numbers, device, sizeof(numbers), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    std::fprintf(stderr, "fibonacci: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < n; ++i)
    std::printf("%llu%c", numbers[i], i + 1 < n ? ' ' : '\n');
}
