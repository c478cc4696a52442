// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __constant__, __device__ and __managed__ variables: initial values, copies to
// and from with offsets, address and size, and use by several kernels.
// CUDA C++ Programming Guide: Variable Memory Space Specifiers.

#include "Inputs/check.h"

struct Point {
  float x;
  short y[3];
};
__constant__ int table[16] = {1, 4, 9, 16, 25};
__constant__ Point origin = {1.5f, {7, 8, 9}};
__device__ int counter = 42;
__device__ double grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ int shared[8] = {10, 20, 30};
__managed__ int zero[2];
static __device__ unsigned char bytes[5];
__device__ const int fixedValues[] = {3, 1, 4, 1, 5};

__global__ void read(int *out) {
  int t = threadIdx.x;
  out[t] = table[t] + counter + (int)grid[1][t % 3];
  if (t == 0) {
    out[16] = (int)(origin.x * 2) + origin.y[2];
    out[17] = shared[1] + shared[7];
    out[18] = bytes[2];
    out[19] = fixedValues[4] * 10 + fixedValues[2];
  }
}
__global__ void write() {
  counter += 100;
  grid[0][1] = 7.25;
  shared[2] *= 2;
  bytes[4] = 200;
}

// A managed variable is managed memory to copies, fills and questions as well.
static void checkManaged() {
  int two[2] = {-1, -2}, back[8] = {};
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, &shared[3]));
  CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
  CUDA(cudaMemset(shared, 0, sizeof shared));
  CUDA(cudaMemset(zero, 1, sizeof zero)); // has no initial value
  CUDA(cudaMemcpyToSymbol(shared, two, sizeof two, 2 * sizeof(int)));
  CUDA(cudaMemcpyFromSymbol(back, shared, sizeof back));
  CHECK_EQ(back[2], -1);
  CHECK_EQ(back[3] + back[4], -2);
  CUDA(cudaMemcpy(back, shared, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[3], -2);
  CUDA(cudaMemcpyFromSymbol(back, zero, sizeof zero));
  CHECK_EQ(back[1], 0x01010101);
  int device = 0;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaMemPrefetchAsync(shared, sizeof shared, device));
  CUDA_ERROR(cudaMemset(&shared[6], 0, 3 * sizeof(int)), cudaErrorInvalidValue);
  CUDA_ERROR(cudaFree(shared), cudaErrorInvalidValue);
  cudaGetLastError();
  CUDA_DONE();
}

int main() {
  check::Array<int> out(20);
  read<<<1, 16>>>(out);
  out.get();
  for (int t = 0; t < 16; ++t)
    CHECK_AT(t, out.host[t], (t < 5 ? (t + 1) * (t + 1) : 0) + 42 + 4 + t % 3);
  CHECK_EQ(out.host[16], 12);
  CHECK_EQ(out.host[17], 20);
  CHECK_EQ(out.host[18], 0);
  CHECK_EQ(out.host[19], 54);
  CHECK_EQ(shared[0], 10); // seen by the host, too

  int some[2] = {-5, -6}, one = 0;
  unsigned char two = 77;
  CUDA(cudaMemcpyToSymbol(table, some, sizeof some, 3 * sizeof(int)));
  CUDA(cudaMemcpyToSymbol(bytes, &two, 1, 2));
  shared[7] = 1000;
  read<<<1, 16>>>(out);
  out.get();
  CHECK_EQ(out.host[2], 9 + 42 + 6);
  CHECK_EQ(out.host[3], -5 + 42 + 4);
  CHECK_EQ(out.host[4], -6 + 42 + 5);
  CHECK_EQ(out.host[17], 1020);
  CHECK_EQ(out.host[18], 77);

  write<<<1, 1>>>();
  CUDA_DONE();
  CUDA(cudaMemcpyFromSymbol(&one, counter, sizeof one));
  CHECK_EQ(one, 142);
  double value = 0;
  CUDA(cudaMemcpyFromSymbol(&value, grid, sizeof value, sizeof value));
  CHECK_EQ(value, 7.25);
  CHECK_EQ(shared[2], 60);

  void *address = nullptr;
  size_t size = 0;
  CUDA(cudaGetSymbolAddress(&address, counter));
  CUDA(cudaMemset(address, 0, sizeof(int)));
  CUDA(cudaMemcpyFromSymbol(&one, counter, sizeof one));
  CHECK_EQ(one, 0);
  CUDA(cudaGetSymbolSize(&size, grid));
  CHECK_EQ(size, sizeof(double) * 6);
  CUDA(cudaGetSymbolSize(&size, bytes));
  CHECK_EQ(size, (size_t)5);
  CUDA(cudaGetSymbolSize(&size, origin));
  CHECK_EQ(size, sizeof(Point));
  CUDA_ERROR(cudaMemcpyToSymbol(table, some, sizeof some, 15 * sizeof(int)),
             cudaErrorInvalidValue);
  checkManaged();
  return check::finish("symbols");
}
