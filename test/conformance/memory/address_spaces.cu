// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOT-YET: the __isGlobal family on the host
//
// __isGlobal, __isShared, __isConstant, __isLocal, and __cvta_generic_to_...
// with the way back, for pointers to each kind of memory.
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

int main() {
  check::Array<unsigned> out(9);
  kernel<<<1, 1, 64>>>(out, 3);
  const unsigned want[9] = {1, 1, 2, 2, 4, 8, 1, 311102, 109};
  out.get();
  for (int i = 0; i < 9; ++i)
    CHECK_AT(i, out.host[i], want[i]);
  return check::finish("address_spaces");
}
