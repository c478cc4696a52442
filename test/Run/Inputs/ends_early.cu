// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches a kernel that takes some tenths of a second to lower, and ends after so many
// milliseconds.

#include <cmath>
#include <cstdlib>
#include <unistd.h>

__global__ void compute(double *values, int rounds) {
  double x = values[threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    x = sin(x) + exp(-x) * pow(x, 1.5) + lgamma(x) + cbrt(x) + erf(x);
    if (i % 3 == 1)
      x = atan2(x, 2.0);
    __syncthreads();
  }
  values[threadIdx.x] = x;
}

int main(int, char **arguments) {
  double *values;
  if (cudaMalloc(&values, 32 * sizeof(double)) ||
      cudaMemset(values, 0, 32 * sizeof(double)))
    return 1;
  compute<<<1, 32>>>(values, 3);
  if (cudaDeviceSynchronize())
    return 1;
  // not timed: it may end at any moment
  usleep(std::atoi(arguments[1]) * 1000);
  return 0;
}
