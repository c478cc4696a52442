// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncthreads in loops, in a called function and in a uniform branch: a block
// scan and a stencil that go wrong when a thread runs ahead.
// CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"

__device__ __noinline__ int blockScan(int *box, int value) {
  int t = threadIdx.x;
  box[t] = value;
  __syncthreads();
  for (int by = 1; by < (int)blockDim.x; by *= 2) {
    int below = t >= by ? box[t - by] : 0;
    __syncthreads();
    box[t] += below;
    __syncthreads();
  }
  int result = box[t];
  __syncthreads();
  return result;
}

__global__ void kernel(int *out, int steps, int twice) {
  __shared__ int box[256], next[256];
  int t = threadIdx.x, n = blockDim.x;
  int x = blockScan(box, t % 7 + 1);
  if (twice) // the same for all threads
    x = blockScan(box, x & 15);
  box[t] = x;
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    next[t] = (box[(t + n - 1) % n] + 2 * box[t] + box[(t + 1) % n]) & 0xffff;
    __syncthreads();
    box[t] = next[t];
    __syncthreads();
  }
  out[t] = box[t];
}

static std::vector<int> expect(int n, int steps, int twice) {
  std::vector<int> x(n), next(n);
  int sum = 0;
  for (int t = 0; t < n; ++t)
    x[t] = sum += t % 7 + 1;
  sum = 0;
  for (int t = 0; t < n && twice; ++t)
    x[t] = sum += x[t] & 15;
  for (int s = 0; s < steps; ++s) {
    for (int t = 0; t < n; ++t)
      next[t] = (x[(t + n - 1) % n] + 2 * x[t] + x[(t + 1) % n]) & 0xffff;
    x = next;
  }
  return x;
}

int main() {
  check::Array<int> out(256);
  for (int n : {33, 64, 256})
    for (int twice : {0, 1}) {
      kernel<<<1, n>>>(out, 20, twice);
      std::vector<int> want = expect(n, 20, twice);
      out.get();
      for (int t = 0; t < n; ++t)
        CHECK_AT(n * 1000 + t, out.host[t], want[t]);
    }
  return check::finish("syncthreads_loop");
}
