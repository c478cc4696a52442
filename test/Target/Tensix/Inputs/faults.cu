// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One fault for each word.
#include <cstdio>
#include <cstring>

__global__ void wait(volatile int *flag) {
  while (!*flag) {
  }
}
/// Lanes 1, 4, 7, ... of the second warp wait for what never comes, the others for them.
__global__ void apart(int *flag) {
  if (threadIdx.x >= 32 && threadIdx.x % 3 == 0)
    while (atomicCAS(flag, 7, 1) != 7) {
    }
  __syncthreads();
  flag[threadIdx.x] = 2;
}
__global__ void store(int *to) { to[blockIdx.x] = 1; }
__global__ void large(int *out) {
  int mine[800];
  for (int i = 0; i < 800; ++i)
    mine[i] = i * out[i];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 800; ++i)
    sum += mine[(i * out[0]) % 800];
  out[threadIdx.x] = sum;
}

int main(int, char **argv) {
  const char *word = argv[1];
  int *memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, 1 << 20);
  if (error == cudaSuccess)
    error = cudaMemset(memory, 0, 1 << 20);
  if (!strcmp(word, "wait"))
    wait<<<1, 1>>>(memory);
  else if (!strcmp(word, "apart"))
    apart<<<2, 64>>>(memory);
  else if (!strcmp(word, "null"))
    store<<<4, 1>>>(nullptr);
  else if (!strcmp(word, "far"))
    store<<<1, 1>>>(memory + (1 << 24));
  else if (!strcmp(word, "odd"))
    store<<<1, 1>>>((int *)((char *)memory + 1));
  else
    large<<<1, 1024>>>(memory);
  if (error == cudaSuccess)
    error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(error));
}
