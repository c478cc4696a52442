// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_60
//
// The forms without a mask (__shfl, __ballot, __any, __all), which
// architectures before Volta have: they speak for the active lanes. CUDA C++
// Programming Guide 8.0: Warp Vote and Warp Shuffle Functions.

#include "Inputs/check.h"

__global__ void old(unsigned *out) {
  int lane = threadIdx.x;
  unsigned *to = out + lane * 9;
  to[0] = (unsigned)__shfl(lane * 2, (lane + 3) % 32);
  to[1] = (unsigned)__shfl_up(lane * 2, 4);
  to[2] = (unsigned)__shfl_down(lane * 2, 4, 16);
  to[3] = (unsigned)__shfl_xor(lane * 2, 9);
  to[4] = __ballot(lane % 5 == 0);
  to[5] = __any(lane == 40) != 0;
  to[6] = __all(lane < 32) != 0;
  to[7] = (unsigned)__shfl(1.5 * lane, 31 - lane);
  to[8] = 0;
  if (lane < 7)
    to[8] = __ballot(lane != 2);
}

int main() {
  check::Array<unsigned> out(32 * 9);
  old<<<1, 32>>>(out);
  out.get();
  unsigned fives = 0;
  for (int l = 0; l < 32; l += 5)
    fives |= 1u << l;
  for (int l = 0; l < 32; ++l) {
    const unsigned *o = &out.host[l * 9];
    CHECK_AT(l, o[0], (unsigned)((l + 3) % 32 * 2));
    CHECK_AT(l, o[1], (unsigned)((l < 4 ? l : l - 4) * 2));
    CHECK_AT(l, o[2], (unsigned)((l % 16 < 12 ? l + 4 : l) * 2));
    CHECK_AT(l, o[3], (unsigned)((l ^ 9) * 2));
    CHECK_AT(l, o[4], fives);
    CHECK_AT(l, o[5], 0u);
    CHECK_AT(l, o[6], 1u);
    CHECK_AT(l, o[7], (unsigned)(1.5 * (31 - l)));
    CHECK_AT(l, o[8], l < 7 ? 0x7bu : 0u);
  }
  return check::finish("without_mask");
}
