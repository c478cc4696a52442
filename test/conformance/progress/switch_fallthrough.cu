// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch whose cases fall through, by values that differ between lanes,
// inside of a loop, with a shuffle after the cases meet and a barrier in
// uniform cases. CUDA C++ Programming Guide: Control Flow Instructions.

#include "Inputs/check.h"

__host__ __device__ inline int work(int x, int which) {
  switch (which) {
  case 5:
    x ^= 0x55;
  case 0:
    x += 3;
  case 1:
    x *= 5;
    if (x % 7 == 0)
      break;
  case 2:
    x -= 11;
    break;
  default:
    x = -x;
  case 3:
    x ^= x >> 3;
  }
  return x;
}

__global__ void divergent(int *out, int rounds) {
  int t = threadIdx.x, x = t;
  for (int r = 0; r < rounds; ++r) {
    x = work(x, (x + r + t) & 7);
    x += __shfl_xor_sync(~0u, x, 1 << r % 5);
    x &= 0xffff;
  }
  out[t] = x;
}

__global__ void uniform(int *out, int rounds) {
  __shared__ int box[96];
  int t = threadIdx.x, x = t;
  for (int r = 0; r < rounds; ++r) {
    switch (r % 4) {
    case 0:
      box[t] = x;
      __syncthreads();
      x += box[(t + 1) % 96];
    case 1:
      __syncthreads();
      box[t] = x * 2;
      break;
    case 3:
      x += 1;
    default:
      __syncthreads();
      x ^= box[(t + 5) % 96];
      __syncthreads(); // case 0 writes the box
    }
  }
  out[t] = x;
}

int main() {
  const int n = 96, rounds = 13;
  check::Array<int> out(n);
  divergent<<<1, n>>>(out, rounds);
  out.get();
  std::vector<int> x(n), old, box(n);
  for (int t = 0; t < n; ++t)
    x[t] = t;
  for (int r = 0; r < rounds; ++r) {
    for (int t = 0; t < n; ++t)
      x[t] = work(x[t], (x[t] + r + t) & 7);
    old = x;
    for (int t = 0; t < n; ++t)
      x[t] = (x[t] + old[t ^ (1 << r % 5)]) & 0xffff;
  }
  for (int t = 0; t < n; ++t)
    CHECK_AT(t, out.host[t], x[t]);

  uniform<<<1, n>>>(out, rounds);
  out.get();
  for (int t = 0; t < n; ++t)
    x[t] = t;
  for (int r = 0; r < rounds; ++r) {
    if (r % 4 == 0) {
      box = x;
      for (int t = 0; t < n; ++t)
        x[t] += box[(t + 1) % n];
    }
    for (int t = 0; t < n && r % 4 < 2; ++t)
      box[t] = x[t] * 2;
    for (int t = 0; t < n && r % 4 >= 2; ++t)
      x[t] = (x[t] + (r % 4 == 3)) ^ box[(t + 5) % n];
  }
  for (int t = 0; t < n; ++t)
    CHECK_AT(t, out.host[t], x[t]);
  return check::finish("switch_fallthrough");
}
