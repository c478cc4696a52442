// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coalesced_threads in divergent code: what the members do together does not
// depend on how many of them happen to be active at once.
// CUDA C++ Programming Guide: Cooperative Groups, Coalesced Groups.

#include "Inputs/check.h"
#include <algorithm>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// The guide's example: one addition for all active lanes.
__device__ int aggregated(int *counter) {
  cg::coalesced_group g = cg::coalesced_threads();
  int first = 0;
  if (g.thread_rank() == 0)
    first = atomicAdd(counter, (int)g.size());
  return g.shfl(first, 0) + (int)g.thread_rank();
}

__global__ void filter(const int *in, int n, int *out, int *counter) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    if (in[i] % 3 == 0)
      out[aggregated(counter)] = in[i];
}

__global__ void facts(unsigned *out) {
  unsigned t = threadIdx.x;
  if (t % 4 == 1 || t == 30) {
    cg::coalesced_group g = cg::coalesced_threads();
    unsigned size = g.size(), rank = g.thread_rank(), sum = 0, below = 0;
    for (unsigned i = 0; i < size; ++i)
      sum += g.shfl(t, i) == t ? i : 0;
    below = g.shfl_up(t, 1);
    unsigned above = g.shfl_down(t, 1);
    out[t * 6] = size * 100 + rank + 1;
    out[t * 6 + 1] = sum == rank;
    out[t * 6 + 2] = rank == 0 ? below == t : below < t;
    out[t * 6 + 3] = rank + 1 == size ? above == t : above > t;
    out[t * 6 + 4] = g.ballot(1) == (size == 32 ? ~0u : (1u << size) - 1);
    out[t * 6 + 5] =
        g.all(t % 4 == 1 || t == 30) && !g.any(t % 4 == 2 && t < 30);
  }
}

int main() {
  const int n = 3000;
  std::vector<int> values(n), kept, found;
  unsigned state = 77;
  for (int &v : values) {
    v = (int)(check::random(state) >> 4);
    if (v % 3 == 0)
      kept.push_back(v);
  }
  check::Array<int> in(values), out(n), counter(1);
  filter<<<4, 96>>>(in, n, out, counter);
  CHECK_EQ(counter.get()[0], (int)kept.size());
  out.get();
  found.assign(out.host.begin(), out.host.begin() + kept.size());
  std::sort(found.begin(), found.end()); // their order is free
  std::sort(kept.begin(), kept.end());
  for (size_t i = 0; i < kept.size(); ++i)
    CHECK_AT(i, found[i], kept[i]);
  CHECK_EQ(out.host[kept.size() < n ? kept.size() : n - 1], 0);

  check::Array<unsigned> told(32 * 6);
  facts<<<1, 32>>>(told);
  told.get();
  for (unsigned t = 0; t < 32; ++t) {
    bool in = t % 4 == 1 || t == 30;
    const unsigned *o = &told.host[t * 6];
    CHECK_TRUE(in ? o[0] / 100 >= 1 && o[0] / 100 <= 9 && o[0] % 100 >= 1 &&
                        o[0] % 100 <= o[0] / 100
                  : o[0] == 0);
    for (int k = 1; k < 6; ++k)
      CHECK_AT(t * 10 + k, o[k], in ? 1u : 0u);
  }
  return check::finish("coalesced");
}
