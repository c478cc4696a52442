// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of a cluster's other blocks is neither global nor the block's own.
// CUDA C++ Programming Guide: Distributed Shared Memory; Address Space Predicate Functions.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) ask(unsigned *out) {
  __shared__ unsigned value;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned *other = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
  unsigned *own = cluster.map_shared_rank(&value, cluster.block_rank());
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned *to = out + blockIdx.x * 6;
    to[0] = __isGlobal(other);
    to[1] = __isShared(other);
    to[2] = __isGlobal(own);
    to[3] = __isShared(own);
    to[4] = __isGlobal(out);
    to[5] = own == &value;
  }
  cluster.sync();
}

int main() {
  int device, hasClusters;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  if (!hasClusters)
    return check::skip("the device has no clusters");
  check::Array<unsigned> out(2 * 6);
  ask<<<2, 32>>>(out);
  out.get();
  const unsigned expected[] = {0, 0, 0, 1, 1, 1};
  for (unsigned word = 0; word < 12; ++word)
    CHECK_AT(word, out.host[word] != 0, expected[word % 6] != 0);
  return check::finish("spaces");
}
