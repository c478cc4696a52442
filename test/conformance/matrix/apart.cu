// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products in kernels whose warps go different ways: some multiply, in loops of different
// lengths, some do not, some end before; blocks of two and three dimensions, and one whose
// last warp is not whole.

#include "Inputs/check.h"

typedef unsigned u32;

__device__ void multiply(int (&sum)[4], u32 a0, u32 a1, u32 b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, "
               "{%6}, {%0, %1, %2, %3};"
               : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
               : "r"(a0), "r"(a1), "r"(b));
}

__device__ int linear() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// Warp w of w % 3 == 1 multiplies w times, of w % 3 == 2 not at all but shuffles; others
// meet at shared memory in between. Lanes of warps that are not whole end.
__global__ void work(const u32 *in, int *out, int threads) {
  const int thread = linear(), lane = thread % 32, warp = thread / 32;
  if (threads - warp * 32 < 32)
    return;
  int sum[4] = {warp, 1, 2, 3};
  if (warp % 3 == 1)
    for (int i = 0; i < warp; ++i)
      multiply(sum, in[lane + i], in[lane + 32], in[lane + 64 + i]);
  else if (warp % 3 == 2)
    for (int i = 0; i < 3; ++i)
      sum[i] = __shfl_xor_sync(~0u, (int)in[lane], 1 << i);
  else
    multiply(sum, in[lane], lane, 0x01010101u);
  for (int i = 0; i < 4; ++i)
    out[thread * 4 + i] = sum[i];
}

static int byteOf(u32 word, int i) { return (signed char)(word >> 8 * i); }

static void product(int (&sum)[4][32], const u32 *a0, const u32 *a1, const u32 *b) {
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < 4; ++e)
      for (int k = 0; k < 16; ++k) {
        const int row = lane / 4, column = lane % 4 * 2 + e % 2;
        sum[e][lane] += byteOf((e < 2 ? a0 : a1)[row * 4 + k / 4], k % 4) *
                        byteOf(b[column * 4 + k / 4], k % 4);
      }
}

static void test(dim3 block) {
  const int threads = (int)(block.x * block.y * block.z);
  unsigned state = 5;
  std::vector<u32> in(256);
  for (u32 &word : in)
    word = check::random(state);
  check::Array<u32> din(in);
  check::Array<int> out(threads * 4);
  work<<<1, block>>>(din, out, threads);
  out.get();
  u32 lanes[32], ones[32];
  for (u32 lane = 0; lane < 32; ++lane)
    lanes[lane] = lane, ones[lane] = 0x01010101u;
  for (int warp = 0; warp < threads / 32; ++warp) {
    int sum[4][32];
    for (int e = 0; e < 4; ++e)
      for (int lane = 0; lane < 32; ++lane)
        sum[e][lane] = e ? e : warp;
    if (warp % 3 == 1)
      for (int i = 0; i < warp; ++i)
        product(sum, &in[i], &in[32], &in[64 + i]);
    else if (warp % 3 == 2)
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 3; ++i)
          sum[i][lane] = (int)in[lane ^ 1 << i];
    else
      product(sum, &in[0], lanes, ones);
    for (int lane = 0; lane < 32; ++lane)
      for (int e = 0; e < 4; ++e)
        CHECK_AT(warp * 1000 + lane * 10 + e, out.host[(warp * 32 + lane) * 4 + e], sum[e][lane]);
  }
}

int main() {
  test(dim3(32));
  test(dim3(16, 8));
  test(dim3(8, 4, 7));
  test(dim3(33, 5));
  test(dim3(250));
  return check::finish("apart");
}
