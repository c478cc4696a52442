// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __ballot_sync, __all_sync, __any_sync, __activemask: whole and partial masks,
// predicates other than 0 and 1, and groups of lanes that vote apart.
// CUDA C++ Programming Guide: Warp Vote Functions.

#include "Inputs/check.h"

__global__ void whole(const int *in, unsigned *out) {
  int lane = threadIdx.x, p = in[blockIdx.x * 32 + lane];
  unsigned *to = out + (blockIdx.x * 32 + lane) * 4;
  to[0] = __ballot_sync(~0u, p);
  to[1] = __all_sync(~0u, p) != 0;
  to[2] = __any_sync(~0u, p) != 0;
  to[3] = __activemask();
}

// Four groups of lanes, each with its own mask, in one instruction.
__global__ void quarters(const int *in, unsigned *out) {
  int lane = threadIdx.x, p = in[blockIdx.x * 32 + lane];
  unsigned mask = 0x11111111u << (lane % 4);
  unsigned *to = out + (blockIdx.x * 32 + lane) * 4;
  to[0] = __ballot_sync(mask, p);
  to[1] = __all_sync(mask, p) != 0;
  to[2] = __any_sync(mask, p) != 0;
  // Lanes of the other side never show in the active mask.
  if (lane % 4 == 2)
    to[3] = __activemask();
  else
    to[3] = ~__activemask();
}

int main() {
  const int blocks = 8;
  std::vector<int> values(blocks * 32);
  unsigned state = 12345;
  for (int i = 0; i < blocks * 32; ++i)
    switch (i / 32) {
    case 0:
      values[i] = 0;
      break;
    case 1:
      values[i] = 256;
      break; // true, though its low byte is 0
    case 2:
      values[i] = i == 64 + 17;
      break;
    case 3:
      values[i] = i != 96 + 31 ? (int)0x80000000 : 0;
      break;
    default:
      values[i] = check::random(state) % 3 * 1000;
      break;
    }
  check::Array<int> in(values);
  check::Array<unsigned> out(blocks * 32 * 4);
  for (int quarter = 0; quarter < 2; ++quarter) {
    if (quarter)
      quarters<<<blocks, 32>>>(in, out);
    else
      whole<<<blocks, 32>>>(in, out);
    out.get();
    for (int i = 0; i < blocks * 32; ++i) {
      unsigned mask = quarter ? 0x11111111u << (i % 4) : ~0u, ballot = 0;
      for (int l = 0; l < 32; ++l)
        if (values[i / 32 * 32 + l])
          ballot |= 1u << l;
      ballot &= mask;
      CHECK_AT(i, out.host[i * 4], ballot);
      CHECK_AT(i, out.host[i * 4 + 1], ballot == mask ? 1u : 0u);
      CHECK_AT(i, out.host[i * 4 + 2], ballot != 0 ? 1u : 0u);
      unsigned active = out.host[i * 4 + 3];
      if (!quarter)
        CHECK_AT(i, active, ~0u);
      else if (i % 4 == 2)
        CHECK_TRUE((active & ~0x44444444u) == 0 && (active >> (i % 32) & 1));
      else
        CHECK_TRUE((~active & 0x44444444u) == 0 && (~active >> (i % 32) & 1));
    }
  }
  return check::finish("vote");
}
