// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit floating-point numbers that are only moved: memory of all kinds, barriers,
// shuffles, choices, signs, and numbers of 32 bits as arguments of printf.
#include <cstdio>

__global__ void extend(unsigned long long *results, const unsigned *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = __double_as_longlong((double)__uint_as_float(in[i]));
}

__global__ void print(const float *x, const double *d, int n) {
  for (int i = 0; i < n; ++i)
    printf("%d %a %f %g\n", i, x[i], -x[i], d[i]);
}

__constant__ double table[4] = {0.5, -0.0, 1e300, -7};

__global__ void move(double *d, double2 *pairs) {
  __shared__ double shared[64];
  unsigned t = threadIdx.x;
  shared[t] = t & 16 ? d[t] : table[t & 3];
  __syncthreads();
  d[t] = shared[63 - t];
  double2 pair = pairs[t];
  double next = __shfl_down_sync(~0u, pair.x, 1);
  pairs[t] = t & 1 ? make_double2(-pair.y, fabs(next)) : pair;
}

int main() {
  const int count = 1 << 16;
  unsigned *in;
  unsigned long long *results;
  float *x;
  double *d;
  double2 *pairs;
  cudaMallocManaged(&in, count * sizeof(*in));
  cudaMallocManaged(&results, count * sizeof(*results));
  cudaMallocManaged(&x, 8 * sizeof(*x));
  cudaMallocManaged(&d, 64 * sizeof(*d));
  cudaMallocManaged(&pairs, 64 * sizeof(*pairs));
  // Each exponent with each number of leading zeros behind it, and both signs.
  for (unsigned i = 0; i < count; ++i)
    in[i] = (i & 511) << 23 | (i * 2654435769u >> 9) >> (i >> 9) % 24;
  extend<<<count / 256, 256>>>(results, in);
  cudaDeviceSynchronize();
  unsigned long long hash = 0;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ results[i]) * 0x9e3779b97f4a7c15ull;
  printf("%016llx\n", hash);
  const float values[] = {0.f, -0.f, -1.5f, 1e-45f, 1e-40f, 3.4e38f, 1.f / 0.f, 0.1f};
  for (int i = 0; i < 8; ++i)
    x[i] = values[i];
  for (int i = 0; i < 64; ++i) {
    d[i] = i * 0.1;
    pairs[i] = make_double2(i * -1.1, i / 3.0);
  }
  move<<<1, 64>>>(d, pairs);
  print<<<1, 1>>>(x, d, 8);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%a %a %a\n", d[i], pairs[i].x, pairs[i].y);
  printf("moved: %s\n", cudaGetErrorString(cudaGetLastError()));
}
