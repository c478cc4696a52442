// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of inline PTX between the threads of a warp: shuffles with their predicate,
// votes, matches, reductions, elections, as CUB uses them.
// PTX ISA: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, activemask.

#include "Inputs/check.h"

typedef unsigned u32;

constexpr int rows = 16;

__global__ void teams(u32 *out) {
  const u32 lane = threadIdx.x, value = lane * lane + 3;
  u32 r, s;
  auto put = [&](int row, u32 x) { out[row * 32 + lane] = x; };
  // An inclusive scan, as CUB writes it.
  r = value;
  for (u32 offset = 1; offset < 32; offset *= 2)
    asm volatile("{"
                 "  .reg .u32 r0;"
                 "  .reg .pred p;"
                 "  shfl.sync.up.b32 r0|p, %1, %2, %3, %4;"
                 "  @p add.u32 r0, r0, %5;"
                 "  mov.u32 %0, r0;"
                 "}"
                 : "=r"(r)
                 : "r"(r), "r"(offset), "r"(0), "r"(~0u), "r"(r));
  put(0, r);
  asm volatile("shfl.sync.down.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(r) : "r"(value));
  put(1, r);
  asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %2, %3, 0x81f, -1;"
               "  selp.u32 %1, 1, 0, p; }"
               : "=r"(r), "=r"(s)
               : "r"(value), "r"(lane + 5));
  put(2, r);
  put(3, s);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 31, -1;" : "=r"(r) : "r"(value));
  put(4, r);
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 20; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(r)
               : "r"(lane));
  put(5, r);
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 32; vote.sync.all.pred q, p, -1;"
               "  selp.u32 %0, 1, 0, q; }"
               : "=r"(r)
               : "r"(lane));
  put(6, r);
  asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 4; vote.sync.any.pred q, !p, -1;"
               "  selp.u32 %0, 1, 0, q; }"
               : "=r"(r)
               : "r"(lane));
  put(7, r);
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(r) : "r"(lane % 5));
  put(8, r);
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, -1; selp.u32 %1, 1, 0, p; }"
               : "=r"(r), "=r"(s)
               : "r"(lane / 32));
  put(9, r + s);
  asm volatile("redux.sync.add.s32 %0, %1, -1;" : "=r"(r) : "r"(lane));
  put(10, r);
  asm volatile("redux.sync.max.u32 %0, %1, -1;" : "=r"(r) : "r"(lane ^ 17));
  put(11, r);
  asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(value));
  put(12, r);
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; @p add.u32 %0, %0, 100; }"
               : "=r"(r));
  put(13, r);
  asm volatile("bar.warp.sync 0xffffffff; activemask.b32 %0;" : "=r"(r));
  put(14, r);
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 7; bar.red.or.pred q, 0, p;"
               "  .reg .u32 n; bar.red.popc.u32 n, 0, p; selp.u32 %0, n, 0, q; }"
               : "=r"(r)
               : "r"(lane));
  put(15, r);
}

int main() {
  check::Array<u32> out(rows * 32);
  teams<<<1, 32>>>(out);
  out.get();
  auto value = [](u32 lane) { return lane * lane + 3; };
  u32 sum = 0, all = 0;
  for (u32 lane = 0; lane < 32; ++lane)
    all ^= value(lane);
  for (u32 lane = 0; lane < 32; ++lane) {
    sum += value(lane);
    u32 alike = 0;
    for (u32 other = lane % 5; other < 32; other += 5)
      alike |= 1u << other;
    const u32 want[rows] = {sum,
                            value(lane + 3 < 32 ? lane + 3 : lane),
                            0, // below
                            0,
                            value(lane ^ 16),
                            ~0u << 21,
                            1,
                            1,
                            alike,
                            0, // all ones and one
                            496,
                            31,
                            all,
                            lane == 0 ? 100u : 0u,
                            ~0u,
                            7};
    for (int row = 0; row < rows; ++row)
      if (row != 2 && row != 3)
        CHECK_AT(row * 100 + (int)lane, out.host[row * 32 + lane], want[row]);
    // Segments of 24: the clamp is 0x1f, the mask 8; the ISA's formula.
    const u32 mask = 0x8, clamp = 0x1f;
    const u32 least = lane & mask, most = least | (clamp & ~mask);
    const u32 j = least | ((lane + 5) & ~mask & 0x1f);
    CHECK_AT(200 + (int)lane, out.host[2 * 32 + lane], value(j <= most ? j : lane));
    CHECK_AT(300 + (int)lane, out.host[3 * 32 + lane], j <= most ? 1u : 0u);
  }
  return check::finish("teams");
}
