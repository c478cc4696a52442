// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// labeled_partition, binary_partition and tiled_partition with a size known at
// run time: members, ranks and what a sum over each part gives.
// CUDA C++ Programming Guide: Cooperative Groups, Group Partitioning.

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void kernel(const int *labels, int *out, unsigned size) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, *to = out + t * 9;
  auto labeled = cg::labeled_partition(warp, labels[t]);
  to[0] = labeled.size();
  to[1] = labeled.thread_rank();
  to[2] = cg::reduce(labeled, t, cg::plus<int>());
  auto binary = cg::binary_partition(warp, labels[t] % 2 == 1);
  to[3] = binary.size();
  to[4] = binary.thread_rank();
  to[5] = cg::reduce(binary, t, cg::greater<int>());
  cg::thread_group part = cg::tiled_partition(cg::this_thread_block(), size);
  to[6] = (int)part.size();
  to[7] = (int)part.thread_rank();
  // A part of a part
  cg::coalesced_group again = cg::binary_partition(labeled, t % 2 == 0);
  to[8] = again.size() * 100 + again.thread_rank();
}

int main() {
  const int n = 64;
  std::vector<int> labels(n);
  for (int t = 0; t < n; ++t)
    labels[t] = t * 7 % 5;
  check::Array<int> in(labels), out(n * 9);
  for (int size : {1, 2, 4, 8, 16, 32}) {
    kernel<<<1, n>>>(in, out, (unsigned)size);
    out.get();
    for (int t = 0; t < n; ++t) {
      int want[9] = {}, againSize = 0, againRank = 0;
      for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
        if (labels[i] == labels[t]) {
          ++want[0], want[1] += i < t, want[2] += i;
          againSize += i % 2 == t % 2, againRank += i % 2 == t % 2 && i < t;
        }
        if (labels[i] % 2 == labels[t] % 2)
          ++want[3], want[4] += i < t, want[5] = i;
      }
      want[6] = size, want[7] = t % size;
      want[8] = againSize * 100 + againRank;
      for (int k = 0; k < 9; ++k)
        CHECK_AT(size * 10000 + t * 10 + k, out.host[t * 9 + k], want[k]);
    }
  }
  return check::finish("partitions");
}
