// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement new in shared, global and local memory, explicit destructors,
// arrays of objects, and objects with constructors as locals in divergent code.
// CUDA C++ Programming Guide: C++ Language Support.

#include "Inputs/check.h"
#include <new>

struct Counter {
  int value, *alive;
  __device__ Counter(int v, int *a) : value(v), alive(a) {
    atomicAdd(alive, 1);
  }
  __device__ Counter(const Counter &c) : value(c.value + 1), alive(c.alive) {
    atomicAdd(alive, 1);
  }
  __device__ ~Counter() { atomicAdd(alive, -1); }
};

__device__ int pass(Counter c) { return c.value; }

__global__ void kernel(int *out, int *alive, Counter *memory) {
  __shared__ alignas(Counter) unsigned char box[64][sizeof(Counter)];
  int t = threadIdx.x;
  Counter *mine = new (box[t]) Counter(t * 2, alive);
  new (&memory[t]) Counter(*mine);
  __syncthreads();
  Counter *other = reinterpret_cast<Counter *>(box[(t + 1) % 64]);
  int sum = other->value;
  __syncthreads();
  if (t % 3 == 0) {
    Counter local(100, alive);
    sum += pass(local);
    if (t % 2)
      sum += 1000;
    else
      for (int i = 0; i < 3; ++i) {
        Counter inner(i, alive);
        if (i == t % 4)
          break;
        sum += inner.value;
      }
  }
  mine->~Counter();
  out[t] = sum;
}

int main() {
  check::Array<int> out(64), alive(1);
  struct Plain {
    int value, *alive;
  };
  check::Array<Plain> memory(64);
  kernel<<<1, 64>>>(out, alive, (Counter *)(Plain *)memory);
  out.get(), memory.get();
  CHECK_EQ(alive.get()[0], 64);
  for (int t = 0; t < 64; ++t) {
    int want = (t + 1) % 64 * 2;
    if (t % 3 == 0) {
      want += 101 + (t % 2 ? 1000 : 0);
      for (int i = 0; t % 2 == 0 && i < 3 && i != t % 4; ++i)
        want += i;
    }
    CHECK_AT(t, out.host[t], want);
    CHECK_AT(t, memory.host[t].value, t * 2 + 1);
  }
  return check::finish("placement_new");
}
