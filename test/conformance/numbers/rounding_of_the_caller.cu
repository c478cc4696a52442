// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels round as they are written, whatever the thread that launches them has set.
// CUDA C++ Programming Guide: Floating-Point Standard.

#include "Inputs/check.h"
#include <cfenv>

__global__ void divide(const float *in, float *out, double *wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.0f / in[i];
  wide[i] = 1.0 / in[i];
}

int main() {
  const int blocks = 64, threads = 64, n = blocks * threads;
  check::Array<float> in(n), out(n), downwards(n);
  check::Array<double> wide(n), wideDownwards(n);
  for (int i = 0; i < n; ++i)
    in.host[i] = 3.0f + i;
  in.put();
  divide<<<blocks, threads>>>(in, out, wide);
  CUDA(cudaDeviceSynchronize());
  fesetround(FE_DOWNWARD);
  for (int round = 0; round < 20; ++round) {
    divide<<<blocks, threads>>>(in, downwards, wideDownwards);
    CUDA(cudaDeviceSynchronize());
  }
  CHECK_EQ(fegetround(), FE_DOWNWARD);
  fesetround(FE_TONEAREST);
  out.get(), wide.get(), downwards.get(), wideDownwards.get();
  for (int i = 0; i < n; ++i) {
    CHECK_AT(i, out.host[i], 1.0f / in.host[i]);
    CHECK_AT(i, downwards.host[i], out.host[i]);
    CHECK_AT(i, wideDownwards.host[i], wide.host[i]);
  }
  return check::finish("rounding_of_the_caller");
}
