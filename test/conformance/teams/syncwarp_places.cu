// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of one __syncwarp may come from two places of the program: each
// waits until all lanes of the mask have executed one with the same mask.
// CUDA C++ Programming Guide: Synchronization Functions, __syncwarp.

#include "Inputs/check.h"

// Lanes meet at one barrier from two places of the program.
__global__ void twoPlaces(int *out) {
  __shared__ int box[32];
  int lane = threadIdx.x;
  if (lane % 2) {
    box[lane] = 100 + lane;
    __syncwarp();
    out[lane] = box[lane - 1];
  } else {
    box[lane] = 200 + lane;
    __syncwarp();
    out[lane] = box[lane + 1];
  }
}

int main() {
  check::Array<int> out(32);
  twoPlaces<<<1, 32>>>(out);
  out.get();
  for (int l = 0; l < 32; ++l)
    CHECK_AT(l, out.host[l], l % 2 ? 200 + l - 1 : 100 + l + 1);
  return check::finish("syncwarp_places");
}
