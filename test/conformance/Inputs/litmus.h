// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Litmus tests: a few threads (roles) access a few cells; some outcomes are
// forbidden under every schedule. A test is a class with
//   static const int roles
//   template <int scope> static __device__ void run(int role, Cells &)
//   static bool forbidden(const Cells &)      seen from the host, afterwards
// A role writes each value that it read, plus 1, into `seen`; 0 there means
// that it did not run, which is a failure, too.
//
// Roles are lanes of a warp, warps of a block, or blocks of a grid. Number of
// runs: HET_LITMUS_RUNS, 20000 unless said (1000000 for a full run).

#ifndef CONFORMANCE_LITMUS_H
#define CONFORMANCE_LITMUS_H

#include "check.h"

namespace litmus {

struct Cells {
  unsigned x, pad0[15], y, pad1[15], z, pad2[15], seen[8], pad3[8];
};

enum Place { Lanes, Warps, Blocks };
const unsigned chunk = 4096; // cells of one launch

// Lets the roles start together, as far as they run at the same time at all.
__device__ inline void startTogether(unsigned *gate, unsigned count) {
  atomicAdd(gate, 1u);
  for (int tries = 0; tries < 20000 && atomicAdd(gate, 0u) < count; ++tries) {
  }
}

template <class Test, int place, int scope>
__global__ void kernel(Cells *cells, unsigned count, unsigned *gate) {
  unsigned lane = threadIdx.x % 32;
  if (place == Lanes) {
    unsigned role = lane % Test::roles;
    for (unsigned i = threadIdx.x / Test::roles; i < count; i += blockDim.x / Test::roles)
      Test::template run<scope>((int)role, cells[i]);
    return;
  }
  unsigned role = place == Warps ? threadIdx.x / 32 : blockIdx.x;
  if (lane == 0)
    startTogether(gate, Test::roles);
  __syncthreads();
  for (unsigned i = lane; i < count; i += 32)
    Test::template run<scope>((int)role, cells[i]);
}

template <class Test, int place, int scope> void test(const char *name) {
  check::Array<Cells> cells(chunk);
  check::Array<unsigned> gate(1);
  long left = check::setting("HET_LITMUS_RUNS", 20000);
  for (; left > 0; left -= chunk) {
    unsigned count = left < (long)chunk ? (unsigned)left : chunk;
    CUDA(cudaMemset(cells, 0, chunk * sizeof(Cells)));
    gate.fill(0);
    kernel<Test, place, scope>
        <<<place == Blocks ? Test::roles : 1,
           place == Warps   ? 32 * Test::roles
           : place == Lanes ? 32 / Test::roles * Test::roles
                            : 32>>>((Cells *)cells, count, (unsigned *)gate);
    cells.get();
    for (unsigned i = 0; i < count; ++i)
      if (Test::forbidden(cells.host[i])) {
        const unsigned *s = cells.host[i].seen;
        printf("%s: run %u: x %u y %u z %u, seen - 1: %d %d %d %d\n", name, i,
               cells.host[i].x, cells.host[i].y, cells.host[i].z, (int)s[0] - 1,
               (int)s[1] - 1, (int)s[2] - 1, (int)s[3] - 1);
        ++check::failures();
        return;
      }
  }
}

// All places and scopes that a test may stand at.
template <class Test> void testAll(const char *name) {
  test<Test, Lanes, __NV_THREAD_SCOPE_BLOCK>(name);
  test<Test, Warps, __NV_THREAD_SCOPE_BLOCK>(name);
  test<Test, Warps, __NV_THREAD_SCOPE_DEVICE>(name);
  test<Test, Blocks, __NV_THREAD_SCOPE_DEVICE>(name);
  test<Test, Blocks, __NV_THREAD_SCOPE_SYSTEM>(name);
}

template <int scope> __device__ inline void fence() {
  if (scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else if (scope == __NV_THREAD_SCOPE_DEVICE)
    __threadfence();
  else
    __threadfence_system();
}
template <int scope>
__device__ inline unsigned load(unsigned *p, int order = __NV_ATOMIC_RELAXED) {
  return __nv_atomic_load_n(p, order, scope);
}
template <int scope>
__device__ inline void store(unsigned *p, unsigned value,
                             int order = __NV_ATOMIC_RELAXED) {
  __nv_atomic_store_n(p, value, order, scope);
}

} // namespace litmus

#endif // CONFORMANCE_LITMUS_H
