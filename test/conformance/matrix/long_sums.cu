// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long loops of products, with sums that live from round to round, so that a kernel may
// move in between: mma.sync from registers, ldmatrix from shared memory, and warps that
// meet at a barrier each round.

#include "Inputs/check.h"

typedef unsigned u32;

constexpr int blocks = 8, warps = 2, rounds = 300, pitch = 16; // halves

__global__ void sums(const u32 *in, float *out) {
  __shared__ __align__(16) u32 tile[16 * pitch / 2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float d[4] = {};
  for (int round = 0; round < rounds; ++round) {
    for (int i = threadIdx.x; i < 16 * pitch / 2; i += warps * 32)
      tile[i] = in[(i + round + blockIdx.x) % 1024];
    __syncthreads();
    u32 a[4];
    const u32 address = (u32)__cvta_generic_to_shared(
        (const char *)tile + (lane % 16 * pitch + lane / 16 * 8) * 2);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address));
    const u32 b0 = in[(lane + round * 3 + warp) % 1024], b1 = in[(lane + round) % 1024];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    __syncthreads();
  }
  for (int e = 0; e < 4; ++e)
    out[((blockIdx.x * warps + warp) * 32 + lane) * 4 + e] = d[e];
}

// Halves are small integers.
static float half(u32 word, int i) {
  const u32 bits = word >> 16 * i & 0xffff;
  return bits == 0 ? 0.0f : bits == 0x3c00 ? 1.0f : bits == 0xbc00 ? -1.0f : 2.0f;
}

int main() {
  const u32 values[] = {0, 0x3c00, 0xbc00, 0x4000};
  unsigned state = 3;
  std::vector<u32> in(1024);
  for (u32 &word : in)
    word = values[check::random(state) % 4] | values[check::random(state) % 4] << 16;
  check::Array<u32> din(in);
  check::Array<float> out(blocks * warps * 32 * 4);
  sums<<<blocks, warps * 32>>>(din, out);
  out.get();
  for (int block = 0; block < blocks; ++block)
    for (int warp = 0; warp < warps; ++warp)
      for (int lane = 0; lane < 32; ++lane)
        for (int e = 0; e < 4; ++e) {
          const int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
          float sum = 0;
          for (int round = 0; round < rounds; ++round)
            for (int k = 0; k < 16; ++k) {
              const u32 a = in[(row * pitch / 2 + k / 2 + round + block) % 1024];
              const int holder = column * 4 + k % 8 / 2;
              const u32 b = k < 8 ? in[(holder + round * 3 + warp) % 1024]
                                  : in[(holder + round) % 1024];
              sum += half(a, k % 2) * half(b, k % 2);
            }
          const int at = ((block * warps + warp) * 32 + lane) * 4 + e;
          CHECK_AT(at, out.host[at], sum);
        }
  return check::finish("long_sums");
}
