// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory of more than 48 KiB: refused without, accepted with
// cudaFuncSetAttribute, up to the device's limit for those who opt in.
// CUDA C++ Programming Guide: Shared Memory (compute capability 7.x and later).

#include "Inputs/check.h"

__global__ void kernel(unsigned *out, unsigned words) {
  extern __shared__ unsigned box[];
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
    box[i] = i * 2654435761u;
  __syncthreads();
  unsigned hash = 0;
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
    hash += box[words - 1 - i] ^ i;
  atomicAdd(out, hash);
}

int main() {
  int device, most;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                              device));
  if (most <= 48 * 1024)
    return check::skip("no more than 48 KiB of shared memory in a block");
  check::Array<unsigned> out(1);
  kernel<<<1, 64, 48 * 1024 + 4>>>(out, 1);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  for (int bytes : {48 * 1024, 64 * 1024, most}) {
    if (bytes > most)
      continue;
    CUDA(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    out.fill(0);
    unsigned words = bytes / 4, want = 0;
    kernel<<<1, 64, bytes>>>(out, words);
    for (unsigned i = 0; i < words; ++i)
      want += ((words - 1 - i) * 2654435761u) ^ i;
    CHECK_AT(bytes, out.get()[0], want);
  }
  CUDA_ERROR(cudaFuncSetAttribute(
                 kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1),
             cudaErrorInvalidValue);
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, kernel));
  CHECK_EQ(attributes.maxDynamicSharedSizeBytes, most);
  return check::finish("shared_large");
}
