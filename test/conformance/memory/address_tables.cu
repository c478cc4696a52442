// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays and structures whose initial values are addresses of __device__,
// __constant__ and __shared__ variables, also without optimisation, in functions that are
// not inlined, and taken out by an index.
// FLAGS: -O3
// FLAGS: -G -O0

#include "Inputs/check.h"

__device__ unsigned a = 1, b = 2, many[3] = {7, 8, 9};
__constant__ unsigned c = 5;

struct Flag {
  volatile unsigned *place;
  int more;
  __device__ unsigned get() const { return *place + more; }
};

__device__ __noinline__ unsigned pick(int i) {
  unsigned *table[3] = {&a, &b, &many[1]};
  return *table[i];
}

__device__ __noinline__ unsigned pickShared(unsigned *first, int i) {
  __shared__ unsigned own[4];
  struct {
    unsigned *at[2][2];
    unsigned number;
  } nested = {{{own, own + 1}, {first, own + 3}}, 40};
  own[threadIdx.x & 3] = 10 * blockIdx.x + (threadIdx.x & 3);
  __syncthreads();
  const unsigned found = *nested.at[i >> 1][i & 1] + nested.number;
  __syncthreads();
  return found;
}

__global__ void kernel(unsigned *out, int n) {
  __shared__ unsigned s, r;
  unsigned *t = out + (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  const unsigned *const constants[3] = {&c, &a, &b};
  unsigned *shared[2] = {&s, &r};
  Flag flag{&b, n}, other = {shared[1], 3};
  if (threadIdx.x == 0) {
    s = 3 + blockIdx.x;
    r = 4 + blockIdx.x;
  }
  __syncthreads();
  for (int i = 0; i < 3; ++i)
    t[i] = *constants[i * n % 3] * 100 + pick(i);
  t[3] = *shared[n & 1] * 10 + *shared[threadIdx.x & 1];
  t[4] = flag.get();
  t[5] = other.get();
  t[6] = pickShared(&r, n & 3);
  t[7] = pickShared(&s, threadIdx.x / 8 & 3);
}

int main() {
  const int blocks = 3, threads = 32, n = 2;
  check::Array<unsigned> out(blocks * threads * 8);
  kernel<<<blocks, threads>>>(out, n);
  CUDA_DONE();
  out.get();
  const unsigned constants[] = {5, 1, 2}, variables[] = {1, 2, 8};
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned thread = 0; thread < threads; ++thread) {
      const unsigned *t = out.host.data() + (block * threads + thread) * 8;
      const unsigned shared[] = {3 + block, 4 + block};
      for (int i = 0; i < 3; ++i)
        CHECK_EQ(t[i], constants[i * n % 3] * 100 + variables[i]);
      CHECK_EQ(t[3], shared[n & 1] * 10 + shared[thread & 1]);
      CHECK_EQ(t[4], 2u + n);
      CHECK_EQ(t[5], shared[1] + 3);
      const unsigned own = 10 * block + 40;
      const unsigned first[] = {own, own + 1, shared[1] + 40, own + 3};
      const unsigned second[] = {own, own + 1, shared[0] + 40, own + 3};
      CHECK_EQ(t[6], first[n & 3]);
      CHECK_EQ(t[7], second[thread / 8 & 3]);
    }
  return check::finish("address_tables");
}
