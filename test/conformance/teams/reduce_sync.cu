// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __reduce_add_sync, min, max, and, or, xor: wrapping sums, signed and unsigned
// order, several masks at a time.
// CUDA C++ Programming Guide: Warp Reduce Functions.

#include "Inputs/check.h"

__global__ void reduce(const unsigned *in, unsigned *out, unsigned split) {
  int lane = threadIdx.x;
  unsigned mask = split >> lane & 1 ? split : ~split;
  unsigned u = in[lane], *to = out + lane * 9;
  int s = (int)u;
  to[0] = __reduce_add_sync(mask, u);
  to[1] = __reduce_min_sync(mask, u);
  to[2] = __reduce_max_sync(mask, u);
  to[3] = (unsigned)__reduce_add_sync(mask, s);
  to[4] = (unsigned)__reduce_min_sync(mask, s);
  to[5] = (unsigned)__reduce_max_sync(mask, s);
  to[6] = __reduce_and_sync(mask, u);
  to[7] = __reduce_or_sync(mask, u);
  to[8] = __reduce_xor_sync(mask, u);
}

static void expect(const std::vector<unsigned> &in, unsigned mask,
                   unsigned *want) {
  unsigned sum = 0, least = ~0u, most = 0, all = ~0u, any = 0, odd = 0;
  int sleast = 0x7fffffff, smost = -0x7fffffff - 1;
  for (int l = 0; l < 32; ++l) {
    if (!(mask >> l & 1))
      continue;
    unsigned v = in[l];
    sum += v;
    least = v < least ? v : least;
    most = v > most ? v : most;
    sleast = (int)v < sleast ? (int)v : sleast;
    smost = (int)v > smost ? (int)v : smost;
    all &= v;
    any |= v;
    odd ^= v;
  }
  unsigned values[9] = {
      sum, least, most, sum, (unsigned)sleast, (unsigned)smost, all, any, odd};
  memcpy(want, values, sizeof values);
}

int main() {
  check::Array<unsigned> out(32 * 9);
  unsigned state = 99;
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<unsigned> values(32);
    for (int l = 0; l < 32; ++l)
      values[l] = kind == 0   ? check::random(state)
                  : kind == 1 ? (unsigned)(l - 16)
                  : kind == 2 ? 0xfffffff0u | (unsigned)l
                              : 0x7fffffffu - (unsigned)(l % 2);
    check::Array<unsigned> in(values);
    for (unsigned split : {~0u, 0x000003ffu, 0xaaaaaaaau, 0x00010000u}) {
      reduce<<<1, 32>>>(in, out, split);
      out.get();
      for (int l = 0; l < 32; ++l) {
        unsigned want[9];
        expect(values, split >> l & 1 ? split : ~split, want);
        for (int k = 0; k < 9; ++k)
          CHECK_AT(l * 10 + k, out.host[l * 9 + k], want[k]);
      }
    }
  }
  return check::finish("reduce_sync");
}
