// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __isGlobal, __isShared, __isConstant, __isLocal, __isGridConstant, and
// __cvta_generic_to_... with the way back, for pointers to each kind of memory:
// objects of other lanes and functions, of arguments, after barriers, of the heap.
// CUDA C++ Programming Guide: Address Space Predicate and Conversion Functions.

#include "Inputs/check.h"

__device__ int global = 1;
__constant__ int constant = 2;

__device__ __noinline__ unsigned kind(const void *p) {
  return (__isGlobal(p) ? 1 : 0) | (__isShared(p) ? 2 : 0) |
         (__isConstant(p) ? 4 : 0) | (__isLocal(p) ? 8 : 0);
}

__global__ void kernel(unsigned *out, int n) {
  __shared__ int shared;
  extern __shared__ int dynamic[];
  int local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = i * n;
  out[0] = kind(&global), out[1] = kind(out), out[2] = kind(&shared);
  out[3] = kind(dynamic), out[4] = kind(&constant),
  out[5] = kind(&local[n % 8]);
  shared = 30;
  int *s = (int *)__cvta_shared_to_generic(__cvta_generic_to_shared(&shared));
  int *g = (int *)__cvta_global_to_generic(__cvta_generic_to_global(&global));
  int *c =
      (int *)__cvta_constant_to_generic(__cvta_generic_to_constant(&constant));
  int *l = (int *)__cvta_local_to_generic(__cvta_generic_to_local(local + n));
  out[6] = s == &shared && g == &global && c == &constant && l == local + n;
  *s += 1, *g += 10, *l += 100;
  out[7] = shared * 10000 + global * 100 + *c;
  out[8] = local[n];
}

struct Numbers {
  int at[6];
};
__constant__ int table[4] = {1, 2, 3, 4};
__device__ __noinline__ unsigned kindInCall(int n, unsigned *outer) {
  int own[4] = {n, n, n, n};
  *outer = kind(outer);
  return kind(&own[n & 3]);
}

// Each thread's objects lie across a barrier and in divergent code.
__global__ void inBlocks(unsigned *out, const __grid_constant__ Numbers common,
                         Numbers own, int n) {
  __shared__ const int *place[64];
  int t = threadIdx.x, array[4] = {t, t, t, t};
  unsigned *to = out + (blockIdx.x * 64 + t) * 9, other = 0;
  place[t] = &array[t & 3];
  __syncthreads();
  to[0] = kind(place[63 - t]); // another thread's
  __syncwarp();
  own.at[n] += t;
  to[1] = kind(&own.at[t % 6]);
  to[2] = kind(&common.at[t % 6]) + 16 * __isGridConstant(&common.at[t % 6]);
  to[3] = __isGridConstant(&own) + __isGridConstant(out);
  if (t % 3) {
    int *heap = (int *)malloc(8);
    to[4] = kind(heap + 1);
    free(heap);
    to[5] = kindInCall(t, &other);
  } else {
    to[4] = kind(&table[t & 3]) == 4;
    to[5] = kindInCall(t, &other);
  }
  to[6] = other;
  to[7] = kind(nullptr) & ~1u;
  to[8] = own.at[n] + array[1] + common.at[n];
}

void checkInBlocks() {
  check::Array<unsigned> out(128 * 9);
  Numbers numbers = {{1, 2, 3, 4, 5, 6}};
  inBlocks<<<2, 64>>>(out, numbers, numbers, 3);
  out.get();
  for (int i = 0; i < 128; ++i) {
    unsigned t = i % 64;
    const unsigned want[9] = {8, 8, 16, 0, 1, 8, 8, 0, 4 + t + t + 4};
    for (int k = 0; k < 9; ++k)
      CHECK_AT(i * 10 + k, out.host[i * 9 + k], want[k]);
  }
}

int main() {
  check::Array<unsigned> out(9);
  kernel<<<1, 1, 64>>>(out, 3);
  const unsigned want[9] = {1, 1, 2, 2, 4, 8, 1, 311102, 109};
  out.get();
  for (int i = 0; i < 9; ++i)
    CHECK_AT(i, out.host[i], want[i]);
  checkInBlocks();
  return check::finish("address_spaces");
}
