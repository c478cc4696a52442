// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: the cluster of the block.

#ifndef HET_COOPERATIVE_GROUPS_CLUSTER_H
#define HET_COOPERATIVE_GROUPS_CLUSTER_H

#include "block.h"

namespace cooperative_groups {
namespace __v1 {

class cluster_group {
  HET_GROUP cluster_group() {}
  friend HET_GROUP cluster_group this_cluster();

public:
  static HET_GROUP void sync() {
    barrier_arrive();
    barrier_wait();
  }
  struct arrival_token {};
  static HET_GROUP arrival_token barrier_arrive() {
    __het_cluster_arrive();
    return {};
  }
  static HET_GROUP void barrier_wait() { __het_cluster_wait(); }
  static HET_GROUP void barrier_wait(arrival_token &&) { __het_cluster_wait(); }

  static HET_GROUP unsigned int query_shared_rank(const void *address) {
    return __het_cluster_rank(address);
  }
  template <typename T> static HET_GROUP T *map_shared_rank(T *address, int rank) {
    return (T *)__het_cluster_map((const void *)address, (unsigned int)rank);
  }

  static HET_GROUP dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static HET_GROUP unsigned int block_rank() { return __het_cluster_block_rank(); }
  static HET_GROUP dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static HET_GROUP unsigned int thread_rank() {
    return block_rank() * __het_detail::threadsInBlock() + __het_detail::threadInBlock();
  }
  static HET_GROUP dim3 dim_blocks() { return __clusterDim(); }
  static HET_GROUP unsigned int num_blocks() { return __het_cluster_blocks(); }
  static HET_GROUP dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static HET_GROUP unsigned int num_threads() {
    return num_blocks() * __het_detail::threadsInBlock();
  }
  static HET_GROUP unsigned int size() { return num_threads(); }
};

HET_GROUP cluster_group this_cluster() { return cluster_group(); }

} // namespace __v1
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_CLUSTER_H
