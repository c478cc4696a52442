// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isspacep of pointers of which nobody knows beforehand where they lead: chosen at run
// time, kept in memory, given to functions that stay calls and that are recursive. An
// atomic addition that is none on a thread's own objects, as libcu++ makes it.
// PTX ISA, "Data Movement and Conversion Instructions: isspacep".

#include "Inputs/check.h"

__device__ int global[4] = {1, 2, 3, 4};
__constant__ int constant[4] = {5, 6, 7, 8};

__device__ unsigned spaceOf(const void *p) {
  unsigned bits = 0;
  asm volatile("{\n .reg .pred a, b, c, d;\n .reg .u32 t;\n"
               " isspacep.global a, %1;\n isspacep.shared b, %1;\n"
               " isspacep.const c, %1;\n isspacep.local d, %1;\n"
               " selp.u32 %0, 1, 0, a;\n selp.u32 t, 2, 0, b;\n or.b32 %0, %0, t;\n"
               " selp.u32 t, 4, 0, c;\n or.b32 %0, %0, t;\n"
               " selp.u32 t, 8, 0, d;\n or.b32 %0, %0, t;\n}"
               : "=r"(bits)
               : "l"(p));
  return bits;
}

__device__ void add(int *p, int value) {
  int isLocal;
  asm volatile("{\n .reg .pred p;\n isspacep.local p, %1;\n selp.s32 %0, 1, 0, p;\n}"
               : "=r"(isLocal)
               : "l"(p));
  if (isLocal)
    *p += value;
  else
    atomicAdd(p, value);
}

__device__ __noinline__ unsigned inCall(const void *p, int n) {
  int own[2] = {n, n + 1};
  return spaceOf(p) | spaceOf(n & 1 ? (const void *)&own[n >> 1 & 1] : p) << 4;
}

// Each level's object, and its caller's.
__device__ __noinline__ unsigned descend(const int *outer, int depth) {
  int own = depth;
  unsigned found = spaceOf(outer) == 8 && spaceOf(&own) == 8;
  return depth ? found + descend(&own, depth - 1) : found;
}

// No shared memory and no barrier: each thread may be one of the device's.
__global__ void apart(unsigned *out, int *in, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int mine[4] = {t, t, t, t};
  int *places[4] = {mine + (t & 3), in + (t & 3), global + (t & 3), mine};
  int *volatile *volatile list = places;
  int *chosen = list[(t + n) & 3];
  out[t * 6] = spaceOf(chosen);
  out[t * 6 + 1] = inCall(chosen, n + t);
  out[t * 6 + 2] = spaceOf(t & 1 ? (const void *)chosen : (const void *)&constant[t & 3]);
  add(list[0], 3), add(list[1], 1), add(list[t & 2], 2);
  out[t * 6 + 3] = mine[t & 3] + mine[(t + 1) & 3];
  out[t * 6 + 4] = spaceOf((const char *)list[3] + 15);
  out[t * 6 + 5] = spaceOf((const char *)in - 1) & 10;
}

// Shared memory, a barrier, and objects that live across it.
__global__ void together(unsigned *out, int *in, int n) {
  __shared__ int shared[32];
  const int t = threadIdx.x;
  int mine[2] = {t, n};
  shared[t & 31] = 0;
  __syncthreads();
  int *places[4] = {mine, in + (t & 3), shared + (t & 31), global};
  int *volatile *volatile list = places;
  int *chosen = list[(t + n) & 3];
  out[t * 3] = spaceOf(chosen);
  out[t * 3 + 1] = inCall(chosen, 0);
  add(list[0], 5), add(list[2], 1);
  __syncthreads();
  out[t * 3 + 2] = shared[t & 31] * 1000 + mine[0];
}

__global__ void recursive(unsigned *out, int depth) {
  int own = depth;
  out[threadIdx.x] = descend(&own, depth + (int)threadIdx.x % 2);
}

int main() {
  const int n = 3, threads = 64;
  check::Array<unsigned> out(2 * threads * 6), both(threads * 3), levels(32);
  check::Array<int> in(4);
  apart<<<2, threads>>>(out, in, n);
  out.get(), in.get();
  for (int t = 0; t < 2 * threads; ++t) {
    const int which = (t + n) & 3;
    const unsigned space = which == 0 || which == 3 ? 8 : 1;
    CHECK_AT(t * 10, out.host[t * 6], space);
    CHECK_AT(t * 10 + 1, out.host[t * 6 + 1], space | ((n + t) & 1 ? 8u : space) << 4);
    CHECK_AT(t * 10 + 2, out.host[t * 6 + 2], t & 1 ? space : 4u);
    CHECK_AT(t * 10 + 3, out.host[t * 6 + 3], unsigned(2 * t + 3 + (t & 2 ? 0 : 2)));
    CHECK_AT(t * 10 + 4, out.host[t * 6 + 4], 8u);
    CHECK_AT(t * 10 + 5, out.host[t * 6 + 5], 0u);
  }
  for (int i = 0; i < 4; ++i)
    CHECK_AT(2000 + i, in.host[i], threads / 2);
  together<<<1, threads>>>(both, in, n);
  both.get();
  for (int t = 0; t < threads; ++t) {
    const unsigned spaces[4] = {8, 1, 2, 1};
    const unsigned space = spaces[(t + n) & 3];
    CHECK_AT(3000 + t, both.host[t * 3], space);
    CHECK_AT(4000 + t, both.host[t * 3 + 1], space | space << 4);
    CHECK_AT(5000 + t, both.host[t * 3 + 2], unsigned(2000 + t + 5));
  }
  recursive<<<1, 32>>>(levels, 4);
  levels.get();
  for (int t = 0; t < 32; ++t)
    CHECK_AT(6000 + t, levels.host[t], unsigned(5 + t % 2));
  return check::finish("spaces");
}
