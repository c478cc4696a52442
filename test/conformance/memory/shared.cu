// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory: static and dynamic together, several arrays, two-dimensional,
// alignment, its own copy for each block, and use through generic pointers.
// CUDA C++ Programming Guide: __shared__; Execution Configuration.

#include "Inputs/check.h"

extern __shared__ unsigned char dynamic[];

__device__ __noinline__ int sum(const int *p, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i)
    total += p[i];
  return total;
}

__global__ void kernel(int *out, double *wide, int n) {
  __shared__ int fixedCells[64];
  __shared__ float matrix[8][9];
  __shared__ double aligned;
  __shared__ char odd[3];
  int t = threadIdx.x, b = blockIdx.x;
  double *doubles = (double *)dynamic;
  int *ints = (int *)(doubles + n);
  fixedCells[t] = t + b;
  matrix[t / 8][t % 8] = (float)(t * b);
  doubles[t] = t * 0.5 + b;
  ints[n - 1 - t] = t * t;
  if (t < 3)
    odd[t] = (char)(t + b);
  if (t == 0)
    aligned = b + 0.25;
  __syncthreads();
  int *to = out + (b * n + t) * 5;
  to[0] = sum(t % 2 ? fixedCells : ints, n); // the pointer is generic
  to[1] = (int)matrix[t % 8][t / 8];
  to[2] = odd[t % 3];
  to[3] = ints[t];
  to[4] = ((size_t)&aligned % 8) + ((size_t)dynamic % 8);
  wide[b * n + t] = doubles[(t + 1) % n] + aligned;
}

int main() {
  const int n = 64, blocks = 5;
  check::Array<int> out(blocks * n * 5);
  check::Array<double> wide(blocks * n);
  kernel<<<blocks, n, n * (sizeof(double) + sizeof(int))>>>(out, wide, n);
  out.get(), wide.get();
  int squares = 0;
  for (int t = 0; t < n; ++t)
    squares += t * t;
  for (int i = 0; i < blocks * n; ++i) {
    int t = i % n, b = i / n;
    int want[5] = {t % 2 ? n * (n - 1) / 2 + n * b : squares,
                   (t % 8 * 8 + t / 8) * b, t % 3 + b,
                   (n - 1 - t) * (n - 1 - t), 0};
    for (int k = 0; k < 5; ++k)
      CHECK_AT(i * 10 + k, out.host[i * 5 + k], want[k]);
    CHECK_AT(i, wide.host[i], (t + 1) % n * 0.5 + b + b + 0.25);
  }
  return check::finish("shared");
}
