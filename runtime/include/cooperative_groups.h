// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: the grid, the cluster, the block, tiles of it, and the lanes that
// happen to be active together.
//
// Groups of at most a team (32 lanes) are a mask of lanes; larger tiles exchange
// through shared memory. Several grids are not available and not declared.

#ifndef HET_COOPERATIVE_GROUPS_H
#define HET_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_

#if defined(__CUDACC__) // else there is nothing, as in CUDA's own

#include "cuda_runtime.h"

#include "__het/cooperative_groups/lanes.h"

#include "__het/cooperative_groups/block.h"
#include "__het/cooperative_groups/cluster.h"
#include "__het/cooperative_groups/coalesced.h"
#include "__het/cooperative_groups/tile.h"

#include "__het/cooperative_groups/partition.h"

// CUDA's own brings libcu++, and programs use its atomics without asking for them.
#if __cplusplus >= 201703L && __has_include(<cuda/atomic>)
#include <cuda/atomic>
#endif

#endif // __CUDACC__
#endif // HET_COOPERATIVE_GROUPS_H
