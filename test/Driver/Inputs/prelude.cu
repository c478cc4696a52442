// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#ifndef ANYTHING
#define ANYTHING 1
#endif

#ifdef OWN_HEADER
extern "C" int own_header = 1;
#endif

__device__ int table[4] = {1, 2, 3, ANYTHING};

template <typename T> __global__ void scale(T *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < 1 << 20);
  if (i < count)
    values[i] = std::max(sqrt(values[i]), T(table[i & 3])) + atomicAdd(&values[0], T(1));
}

int main() {
  std::vector<float> values(100, 2.0f);
  scale<<<1, 128>>>(values.data(), 100);
  scale<<<1, 128>>>(static_cast<double *>(nullptr), 0);
  return cudaDeviceSynchronize() == cudaSuccess ? std::lround(values[3]) : 1;
}
