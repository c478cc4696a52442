// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicCAS for unsigned short int: it compares and stores 16 bits, and leaves
// the neighbour in the same word alone.
// CUDA C++ Programming Guide: Atomic Functions, atomicCAS.

#include "Inputs/check.h"

__global__ void kernel(unsigned short *cells, unsigned short *old) {
  __shared__ unsigned short box[4];
  unsigned t = threadIdx.x;
  if (t < 4)
    box[t] = 0;
  if (t == 0) {
    old[0] = atomicCAS(&cells[0], (unsigned short)0xabcd, (unsigned short)1);
    old[1] = atomicCAS(&cells[1], (unsigned short)0xabcd, (unsigned short)2);
    old[2] =
        atomicCAS(&cells[2], (unsigned short)0x8000, (unsigned short)0xffff);
  }
  __syncthreads();
  // Each thread adds t % 4 + 1 to a cell, in a loop.
  for (unsigned short *p : {&cells[4 + t % 4], &box[t % 4]}) {
    unsigned short seen = *p, assumed;
    do {
      assumed = seen;
      seen = atomicCAS(p, assumed, (unsigned short)(assumed + t % 4 + 1));
    } while (seen != assumed);
  }
  __syncthreads();
  if (t < 4)
    cells[8 + t] = box[t];
}

int main() {
  check::Array<unsigned short> cells(12), old(3);
  cells.host = {0xabcd, 0x1234, 0x8000, 77, 0, 0, 0xfff0, 0, 0, 0, 0, 0};
  cells.put();
  kernel<<<1, 128>>>(cells, old);
  old.get(), cells.get();
  const unsigned short wantOld[] = {0xabcd, 0x1234, 0x8000};
  const unsigned short want[] = {1,  0x1234, 0xffff, 77, 32, 64,
                                 80, 128,    32,     64, 96, 128};
  for (int i = 0; i < 3; ++i)
    CHECK_AT(i, old.host[i], wantOld[i]);
  for (int i = 0; i < 12; ++i)
    CHECK_AT(i, cells.host[i], want[i]);
  return check::finish("compare_and_swap_16");
}
