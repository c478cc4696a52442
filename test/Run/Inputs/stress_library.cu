// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with a kernel, which stress.cu opens and closes again and again.

__device__ int calls;

__global__ void count(int *out) { *out += 1 + atomicAdd(&calls, 1) * 0; }

extern "C" cudaError_t callLibrary(int *out, cudaStream_t stream) {
  count<<<1, 1, 0, stream>>>(out);
  return cudaStreamSynchronize(stream);
}
