// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose size is no multiple of 32, in one, two and three dimensions: the
// last warp has fewer lanes, and lanes are counted with x first.
// CUDA C++ Programming Guide: Thread Hierarchy; SIMT Architecture.

#include "Inputs/check.h"

__global__ void partial(unsigned *out) {
  unsigned t =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned count = blockDim.x * blockDim.y * blockDim.z;
  unsigned lane = t % 32, first = t - lane;
  unsigned members = count - first < 32 ? count - first : 32;
  unsigned mask = members == 32 ? ~0u : (1u << members) - 1, hardware;
  asm("mov.u32 %0, %%laneid;" : "=r"(hardware));
  unsigned *to = out + t * 6;
  to[0] = hardware;
  to[1] = __activemask();
  to[2] = __ballot_sync(mask, t & 1);
  to[3] = __shfl_sync(mask, t * 3, (lane + 1) % members);
  to[4] = __shfl_down_sync(mask, t * 3, members > 1 ? 1 : 0);
  to[5] = __reduce_add_sync(mask, t);
}

static void expect(unsigned t, unsigned count, unsigned *want) {
  unsigned lane = t % 32, first = t - lane;
  unsigned members = count - first < 32 ? count - first : 32;
  want[0] = lane;
  want[1] = want[2] = want[5] = 0;
  for (unsigned l = 0; l < members; ++l) {
    want[1] |= 1u << l;
    want[2] |= ((first + l) & 1) << l;
    want[5] += first + l;
  }
  want[3] = (first + (lane + 1) % members) * 3;
  want[4] = (t + (members > 1)) * 3;
}

int main() {
  for (dim3 shape : {dim3(1), dim3(7), dim3(33), dim3(64), dim3(95), dim3(5, 7),
                     dim3(3, 5, 11), dim3(31, 2), dim3(1, 1, 40)}) {
    unsigned count = shape.x * shape.y * shape.z;
    check::Array<unsigned> out(count * 6);
    partial<<<1, shape>>>(out);
    out.get();
    for (unsigned t = 0; t < count; ++t) {
      unsigned want[6];
      expect(t, count, want);
      for (unsigned k = 0; k < 6; ++k) {
        // The last lane's __shfl_down has no partner in a partial warp.
        if (k == 4 && (t % 32 == 31 || t + 1 == count))
          continue;
        CHECK_AT(count * 10000 + t * 10 + k, out.host[t * 6 + k], want[k]);
      }
    }
  }
  return check::finish("partial_warp");
}
