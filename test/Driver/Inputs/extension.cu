// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Python extension's kernel, behind a function of C.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void twice(const __half *in, float *out) {
  out[threadIdx.x] = __half2float(in[threadIdx.x]) * 2;
}

extern "C" __attribute__((visibility("default"))) int run(int value) {
  __half *in;
  float *out;
  if (cudaMallocManaged(&in, sizeof(*in)) || cudaMallocManaged(&out, sizeof(*out)))
    return -1;
  *in = __float2half(static_cast<float>(value));
  twice<<<1, 1>>>(in, out);
  return cudaDeviceSynchronize() ? -1 : static_cast<int>(*out);
}
