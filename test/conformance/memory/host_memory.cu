// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pinned and mapped host memory: cudaMallocHost, cudaHostAlloc, its device
// pointer, cudaHostRegister, and managed memory with its hints.
// CUDA C++ Programming Guide: Page-Locked Host Memory; Unified Memory.

#include "Inputs/check.h"

__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = p[i] * 2 + 1;
}

static void run(const char *name, int *host, int *device, int n) {
  for (int i = 0; i < n; ++i)
    host[i] = i;
  twice<<<(n + 63) / 64, 64>>>(device, n);
  CUDA_DONE();
  for (int i = 0; i < n; ++i)
    check::equal(name, __LINE__, i, host[i], i * 2 + 1);
}

int main() {
  const int n = 5000, bytes = n * sizeof(int);
  int *host = nullptr, *device = nullptr, canMap, id;
  CUDA(cudaGetDevice(&id));
  CUDA(cudaDeviceGetAttribute(&canMap, cudaDevAttrCanMapHostMemory, id));
  CHECK_EQ(canMap, 1);
  CUDA(cudaHostAlloc((void **)&host, bytes, cudaHostAllocMapped));
  CUDA(cudaHostGetDevicePointer((void **)&device, host, 0));
  run("cudaHostAlloc", host, device, n);
  unsigned flags = 0;
  CUDA(cudaHostGetFlags(&flags, host));
  CHECK_TRUE((flags & cudaHostAllocMapped) != 0);
  CUDA(cudaFreeHost(host));

  CUDA(cudaMallocHost((void **)&host, bytes));
  CUDA(cudaMalloc((void **)&device, bytes));
  for (int i = 0; i < n; ++i)
    host[i] = 3 * i;
  CUDA(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
  twice<<<(n + 63) / 64, 64>>>(device, n);
  CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, 0));
  CUDA(cudaStreamSynchronize(0));
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, host[i], 6 * i + 1);
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, host));
  CHECK_EQ(attributes.type, cudaMemoryTypeHost);
  CUDA(cudaPointerGetAttributes(&attributes, device));
  CHECK_EQ(attributes.type, cudaMemoryTypeDevice);
  CUDA(cudaFreeHost(host));
  CUDA(cudaFree(device));

  int *plain = (int *)aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  CUDA(cudaHostRegister(plain, bytes, cudaHostRegisterMapped));
  CUDA(cudaHostGetDevicePointer((void **)&device, plain, 0));
  run("cudaHostRegister", plain, device, n);
  CUDA_ERROR(cudaHostRegister(plain, bytes, 0),
             cudaErrorHostMemoryAlreadyRegistered);
  CUDA(cudaHostUnregister(plain));
  CUDA_ERROR(cudaHostUnregister(plain), cudaErrorHostMemoryNotRegistered);
  cudaGetLastError();
  free(plain);

  int *managed;
  CUDA(cudaMallocManaged((void **)&managed, bytes));
  CUDA(cudaPointerGetAttributes(&attributes, managed));
  CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
  cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly, id); // a hint only
  cudaMemPrefetchAsync(managed, bytes, id, 0);
  cudaGetLastError();
  run("cudaMallocManaged", managed, managed, n);
  CUDA(cudaFree(managed));
  return check::finish("host_memory");
}
