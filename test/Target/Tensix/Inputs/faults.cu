// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One fault for each word.
#include <cstdio>
#include <cstring>

__global__ void wait(volatile int *flag) {
  while (!*flag) {
  }
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

__device__ __noinline__ int count(int n, volatile int *from) {
  volatile int here[4] = {n, from[0], from[1], from[2]};
  return n ? count(n - 1, from) + here[n % 4] : here[0];
}
__global__ void deep(int *memory, int n) { memory[3] = count(n, memory); }

struct Node {
  virtual __device__ int visit(int n, int *memory) = 0;
};
struct Leaf : Node {
  __device__ int visit(int n, int *memory) override {
    Node *next = *(Node **)memory;
    return n ? next->visit(n - 1, memory) + memory[3] : 1;
  }
};
__global__ void virtually(int *memory, int n) {
  Leaf leaf;
  *(Node **)memory = &leaf;
  memory[4] = leaf.visit(n, memory);
}

__device__ __noinline__ int gather(const int *from) {
  int mine[20000];
  for (int i = 0; i < 20000; ++i)
    mine[i] = from[i % 7] + i;
  return mine[from[0] + 5] + mine[from[1] + 77];
}
__global__ void wide(int *memory) { memory[8] = gather(memory); }

int main(int, char **argv) {
  const char *word = argv[1];
  int *memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, 1 << 20);
  if (error == cudaSuccess)
    error = cudaMemset(memory, 0, 1 << 20);
  if (!strcmp(word, "wait"))
    wait<<<1, 1>>>(memory);
  else if (!strcmp(word, "null"))
    store<<<4, 1>>>(nullptr);
  else if (!strcmp(word, "far"))
    store<<<1, 1>>>(memory + (1 << 24));
  else if (!strcmp(word, "odd"))
    store<<<1, 1>>>((int *)((char *)memory + 1));
  else if (!strcmp(word, "shallow"))
    deep<<<1, 1>>>(memory, 200);
  else if (!strcmp(word, "deep"))
    deep<<<1, 1>>>(memory, 100000);
  else if (!strcmp(word, "virtually"))
    virtually<<<1, 1>>>(memory, 100000);
  else if (!strcmp(word, "wide"))
    wide<<<1, 1>>>(memory);
  else
    large<<<1, 1024>>>(memory);
  if (error == cudaSuccess)
    error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(error));
}
