// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread_block: rank, index, size and sync, in one to three dimensions, through
// the class, the free functions and the generic thread_group; and the same of the grid.
// CUDA C++ Programming Guide: Cooperative Groups, Thread Block Group.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ __noinline__ unsigned total(const cg::thread_group &group,
                                       unsigned *box, unsigned value) {
  unsigned rank = (unsigned)group.thread_rank();
  box[rank] = value;
  group.sync();
  unsigned sum = 0;
  for (unsigned i = 0; i < group.size(); ++i)
    sum += box[i];
  group.sync();
  return sum;
}

__global__ void kernel(unsigned *out) {
  __shared__ unsigned box[1024];
  cg::thread_block block = cg::this_thread_block();
  unsigned rank = block.thread_rank(), size = block.size();
  dim3 group = block.group_index(), index = block.thread_index();
  unsigned b = (group.z * gridDim.y + group.y) * gridDim.x + group.x;
  unsigned *to = out + (b * size + rank) * 8;
  to[0] = index.x + 100 * index.y + 10000 * index.z;
  to[1] = block.group_dim().x * 10000 + block.dim_threads().y * 100 +
          block.group_dim().z;
  to[2] = block.num_threads();
  to[3] = total(block, box, rank + b);
  box[rank] = rank * 3;
  cg::sync(block);
  to[4] = box[(rank + 1) % size];
  cg::thread_block::sync();
  to[5] = cg::thread_rank(block) + 1000 * cg::group_size(block);
  dim3 whole = cg::grid_group::dim_threads(), place = cg::grid_group::thread_index();
  to[6] = (place.z * whole.y + place.y) * whole.x + place.x;
  to[7] = cg::this_thread().size() + cg::this_thread().thread_rank();
}

static void test(dim3 grid, dim3 block) {
  unsigned n = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  check::Array<unsigned> out(n * blocks * 8);
  kernel<<<grid, block>>>(out);
  out.get();
  for (unsigned i = 0; i < n * blocks; ++i) {
    unsigned t = i % n, b = i / n;
    const unsigned *o = &out.host[i * 8];
    CHECK_AT(i, o[0],
             t % block.x + 100 * (t / block.x % block.y) +
                 10000 * (t / block.x / block.y));
    CHECK_AT(i, o[1], block.x * 10000 + block.y * 100 + block.z);
    CHECK_AT(i, o[2], n);
    CHECK_AT(i, o[3], n * (n - 1) / 2 + n * b);
    CHECK_AT(i, o[4], (t + 1) % n * 3);
    CHECK_AT(i, o[5], t + 1000 * n);
    unsigned x = b % grid.x * block.x + t % block.x;
    unsigned y = b / grid.x % grid.y * block.y + t / block.x % block.y;
    unsigned z = b / grid.x / grid.y * block.z + t / block.x / block.y;
    CHECK_AT(i, o[6], (z * grid.y * block.y + y) * grid.x * block.x + x);
    CHECK_AT(i, o[7], 1u);
  }
}

int main() {
  test(dim3(3), dim3(70));
  test(dim3(2, 2), dim3(8, 9));
  test(dim3(1, 2, 3), dim3(4, 5, 6));
  return check::finish("thread_block");
}
