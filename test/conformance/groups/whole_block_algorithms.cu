// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What else the headers declare: invoke_one, invoke_one_broadcast, tiles larger
// than a warp, reduce_update_async and barrier_arrive with barrier_wait.
// CUDA C++ Programming Guide: Cooperative Groups.

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void kernel(int *out) {
  __shared__ int box[128];
  cg::thread_block block = cg::this_thread_block();
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<16>(block);
  cg::invoke_one(tile, [&] { box[tile.meta_group_rank()] = t; });
  block.sync();
  int *to = out + t * 3;
  to[0] = box[t / 16] / 16;
  block.sync();
  box[t] = t * 2;
  auto token = block.barrier_arrive();
  int own = t * 5; // between arrival and waiting
  block.barrier_wait(std::move(token));
  to[1] = box[(t + 64) % 128] + own;
  auto warp = cg::tiled_partition<32>(block);
  to[2] = cg::invoke_one_broadcast(warp, [=] { return t / 32 + 7; });
}

int main() {
  check::Array<int> out(128 * 3);
  kernel<<<1, 128>>>(out);
  out.get();
  for (int t = 0; t < 128; ++t) {
    CHECK_AT(t, out.host[t * 3], t / 16);
    CHECK_AT(t, out.host[t * 3 + 1], (t + 64) % 128 * 2 + t * 5);
    CHECK_AT(t, out.host[t * 3 + 2], t / 32 + 7);
  }
  return check::finish("whole_block_algorithms");
}
