// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128-bit atomicCAS and atomicExch of structures of 16 bytes (compute
// capability 9.0): the two halves are never torn apart. CUDA C++ Programming
// Guide: Atomic Functions, atomicExch, atomicCAS. FLAGS: -arch=sm_90

#include "Inputs/check.h"

struct alignas(16) Pair {
  unsigned long long a, b;
};

__global__ void kernel(Pair *cell, Pair *log, unsigned *torn) {
  unsigned t = threadIdx.x;
  Pair mine = {t + 1, ~(unsigned long long)(t + 1)};
  Pair before = atomicExch(&cell[0], mine);
  if (before.a != ~before.b)
    atomicAdd(torn, 1u);
  log[t] = before;
  Pair seen = {0, 0}, assumed;
  do {
    assumed = seen;
    Pair next = {assumed.a + 1, assumed.b + 2};
    seen = atomicCAS(&cell[1], assumed, next);
  } while (seen.a != assumed.a || seen.b != assumed.b);
}

int main() {
  const unsigned n = 64;
  check::Array<Pair> cell(2), log(n);
  check::Array<unsigned> torn(1);
  cell.host[0] = {0, ~0ull};
  cell.put();
  kernel<<<1, n>>>(cell, log, torn);
  cell.get(), log.get();
  CHECK_EQ(torn.get()[0], 0u);
  CHECK_EQ(cell.host[1].a, (unsigned long long)n);
  CHECK_EQ(cell.host[1].b, 2ull * n);
  // Each value was taken out once; the last one is still there.
  unsigned long long sum = cell.host[0].a;
  for (unsigned t = 0; t < n; ++t)
    sum += log.host[t].a;
  CHECK_EQ(sum, (unsigned long long)n * (n + 1) / 2);
  return check::finish("wide_128");
}
