// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of function pointers in __device__ and __constant__ variables with
// initial values, read on the device and copied by the host.
// CUDA C++ Programming Guide: __device__ functions, Function Pointers.

#include "Inputs/check.h"

typedef float (*Function)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ float minus(float x) { return -x; }

__device__ Function single = square;
__device__ Function table[3] = {twice, square, minus};
__constant__ Function constants[2] = {minus, twice};

__global__ void kernel(float *out, Function given) {
  int t = threadIdx.x;
  float x = (float)t;
  out[t] = table[t % 3](x) + constants[t % 2](x) * 100 + single(x) * 10000 +
           given(x);
}

int main() {
  check::Array<float> out(32);
  Function given;
  CUDA(cudaMemcpyFromSymbol(&given, single, sizeof given));
  kernel<<<1, 32>>>(out, given);
  out.get();
  for (int t = 0; t < 32; ++t) {
    float x = (float)t, r = t % 3 == 0 ? 2 * x : t % 3 == 1 ? x * x : -x;
    CHECK_AT(t, out.host[t],
             r + (t % 2 ? 2 * x : -x) * 100 + x * x * 10000 + x * x);
  }
  return check::finish("function_tables");
}
