// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: the whole block and the whole grid.

#ifndef HET_COOPERATIVE_GROUPS_BLOCK_H
#define HET_COOPERATIVE_GROUPS_BLOCK_H

#include "large.h"

namespace cooperative_groups {
namespace __v1 {

class thread_block {
  HET_GROUP thread_block() {}
  friend HET_GROUP thread_block this_thread_block();
  template <unsigned int MaxBlockSize>
  friend HET_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize> &);

public:
  static HET_GROUP void sync() { __syncthreads(); }
  struct arrival_token {};
  HET_GROUP arrival_token barrier_arrive() const { return {}; }
  HET_GROUP void barrier_wait(arrival_token &&) const { __syncthreads(); }
  static HET_GROUP unsigned int size() { return __het_detail::threadsInBlock(); }
  static HET_GROUP unsigned int num_threads() { return size(); }
  static HET_GROUP unsigned int thread_rank() { return __het_detail::threadInBlock(); }
  static HET_GROUP dim3 group_index() { return blockIdx; }
  static HET_GROUP dim3 thread_index() { return threadIdx; }
  static HET_GROUP dim3 group_dim() { return blockDim; }
  static HET_GROUP dim3 dim_threads() { return blockDim; }
};

HET_GROUP thread_block this_thread_block() { return thread_block(); }
template <unsigned int MaxBlockSize>
HET_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block();
}

class grid_group {
  HET_GROUP grid_group() {}
  friend HET_GROUP grid_group this_grid();

public:
  HET_GROUP bool is_valid() const { return __het_cooperative() != 0; }
  static HET_GROUP void sync() { __het_grid_barrier(); }
  struct arrival_token {};
  HET_GROUP arrival_token barrier_arrive() const { return {}; }
  HET_GROUP void barrier_wait(arrival_token &&) const { sync(); }
  static HET_GROUP unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static HET_GROUP unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static HET_GROUP unsigned long long size() {
    return num_blocks() * __het_detail::threadsInBlock();
  }
  static HET_GROUP unsigned long long num_threads() { return size(); }
  static HET_GROUP unsigned long long thread_rank() {
    return block_rank() * __het_detail::threadsInBlock() + __het_detail::threadInBlock();
  }
  static HET_GROUP dim3 group_dim() { return gridDim; }
  static HET_GROUP dim3 dim_blocks() { return gridDim; }
  static HET_GROUP dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static HET_GROUP dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x,
                blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  static HET_GROUP dim3 block_index() { return blockIdx; }
};

HET_GROUP grid_group this_grid() { return grid_group(); }

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_BLOCK_H
