// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// labeled_partition, binary_partition and tiled_partition with a size known at
// run time: members, ranks, which part of how many each is, and what a sum over
// each part gives.
// CUDA C++ Programming Guide: Cooperative Groups, Group Partitioning.

#include "Inputs/check.h"
#include <algorithm>
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

// Which part of how many
__global__ void places(const int *labels, int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, *to = out + t * 8;
  auto put = [&](int at, const cg::coalesced_group &part) {
    to[at] = part.meta_group_rank();
    to[at + 1] = part.meta_group_size();
  };
  put(0, cg::labeled_partition(warp, labels[t]));
  put(2, cg::labeled_partition<32>(warp, labels[t] == 3));
  put(4, cg::binary_partition<32>(warp, t < 32)); // all of a warp say the same
  put(6, cg::labeled_partition(warp, &labels[labels[t]]));
}

// Parts of a block that is no multiple of them
__global__ void remainders(int *out, unsigned size) {
  cg::thread_group part = cg::tiled_partition(cg::this_thread_block(), size);
  int *to = out + threadIdx.x * 3;
  to[0] = (int)part.size();
  to[1] = (int)part.thread_rank();
  cg::thread_group half = cg::tiled_partition(part, size / 2);
  to[2] = (int)half.size();
}

static void testPlaces(const std::vector<int> &labels) {
  int n = (int)labels.size();
  check::Array<int> in(labels), out(n * 8);
  places<<<1, n>>>(in, out);
  out.get();
  for (int t = 0; t < n; ++t) {
    int first = t / 32 * 32, rank = 0, size = 0;
    for (int i = first; i < first + 32; ++i) {
      bool leads = true, leadsMine = labels[i] == labels[t];
      for (int j = first; j < i; ++j)
        leads &= labels[j] != labels[i], leadsMine &= labels[j] != labels[i];
      size += leads;
      if (leadsMine)
        for (int j = first; j < i; ++j) {
          bool earlier = true;
          for (int k = first; k < j; ++k)
            earlier &= labels[k] != labels[j];
          rank += earlier;
        }
    }
    const int want[8] = {rank, size, labels[t] == 3, 2, 0, 1, rank, size};
    for (int k = 0; k < 8; ++k)
      CHECK_AT(t * 10 + k, out.host[t * 8 + k], want[k]);
  }
}

static void testRemainders(int n) {
  check::Array<int> out(n * 3);
  for (int size : {2, 4, 8, 16, 32}) {
    remainders<<<1, n>>>(out, (unsigned)size);
    out.get();
    for (int t = 0; t < n; ++t) {
      auto left = [&](int of) { return std::min(of, n - t / of * of); };
      const int want[3] = {left(size), t % size, left(size / 2)};
      for (int k = 0; k < 3; ++k)
        CHECK_AT(size * 10000 + t * 10 + k, out.host[t * 3 + k], want[k]);
    }
  }
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
  testPlaces(labels);
  for (int threads : {64, 45, 37, 1})
    testRemainders(threads);
  return check::finish("partitions");
}
