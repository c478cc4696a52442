// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread is: threadIdx, blockIdx, blockDim, gridDim, warpSize and the
// lane masks, in grids and blocks of three dimensions.
// CUDA C++ Programming Guide: Built-in Variables. PTX ISA: Special Registers.

#include "Inputs/check.h"

__global__ void where(unsigned *out) {
  unsigned t =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned size = blockDim.x * blockDim.y * blockDim.z;
  unsigned *to = out + (b * size + t) * 14;
  to[0] = threadIdx.x, to[1] = threadIdx.y, to[2] = threadIdx.z;
  to[3] = blockIdx.x, to[4] = blockIdx.y, to[5] = blockIdx.z;
  to[6] = blockDim.x * 10000 + blockDim.y * 100 + blockDim.z;
  to[7] = gridDim.x * 10000 + gridDim.y * 100 + gridDim.z;
  to[8] = warpSize;
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(to[9]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(to[10]));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(to[11]));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(to[12]));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(to[13]));
}

static void test(dim3 grid, dim3 block) {
  unsigned size = block.x * block.y * block.z,
           blocks = grid.x * grid.y * grid.z;
  check::Array<unsigned> out(size * blocks * 14);
  where<<<grid, block>>>(out);
  out.get();
  for (unsigned i = 0; i < size * blocks; ++i) {
    unsigned t = i % size, b = i / size, bit = 1u << (t % 32);
    unsigned want[14] = {t % block.x,
                         t / block.x % block.y,
                         t / block.x / block.y,
                         b % grid.x,
                         b / grid.x % grid.y,
                         b / grid.x / grid.y,
                         block.x * 10000 + block.y * 100 + block.z,
                         grid.x * 10000 + grid.y * 100 + grid.z,
                         32,
                         bit,
                         bit - 1,
                         bit | (bit - 1),
                         ~(bit | (bit - 1)),
                         ~(bit - 1)};
    for (unsigned k = 0; k < 14; ++k)
      CHECK_AT(i * 100 + k, out.host[i * 14 + k], want[k]);
  }
}

int main() {
  test(dim3(3, 2, 4), dim3(4, 3, 5));
  test(dim3(17), dim3(1));
  test(dim3(1, 5), dim3(33, 2));
  test(dim3(2, 1, 3), dim3(8, 8, 16));
  return check::finish("positions");
}
