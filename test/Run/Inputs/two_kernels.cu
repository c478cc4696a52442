// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches two kernels one after the other, and between them makes the given file, its
// package, empty. Both must give what they should.

#include <cstdio>
#include <unistd.h>

__global__ void first(int *value) { *value += 40; }
__global__ void second(int *value) { *value += 2; }

static int check(const char *what) {
  cudaError_t error = cudaGetLastError();
  if (!error)
    error = cudaDeviceSynchronize();
  if (error)
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
  return error != cudaSuccess;
}

int main(int argc, char **argv) {
  int *memory, value = 0;
  cudaMalloc(&memory, sizeof(int));
  cudaMemset(memory, 0, sizeof(int));
  first<<<1, 1>>>(memory);
  if (check("first"))
    return 1;
  if (argc > 1 && truncate(argv[1], 0) != 0)
    return 2;
  second<<<1, 1>>>(memory);
  if (check("second"))
    return 1;
  cudaMemcpy(&value, memory, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", value);
  return value != 42;
}
