// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that takes as long as one likes. `threads` is the size of its blocks.
__global__ void run(unsigned *out, int steps) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = blockIdx.x * 7919 + t;
  for (int i = 0; i < steps; ++i) {
    shared[t] = x;
    __syncthreads();
    x = x * 1664525u + (shared[(t + i) % threads] ^ (x >> 7));
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = x;
}
