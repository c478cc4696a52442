// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix, stmatrix and movmatrix: one, two and four matrices, also transposed, at rows
// anywhere in shared memory, in several warps.
// PTX ISA: Warp-level Matrix Instructions, ldmatrix, stmatrix, movmatrix.

#include "Inputs/check.h"

typedef unsigned u32;
typedef unsigned short u16;

constexpr int warps = 3, rows = 32, row = 8, pitch = 24; // in elements of 16 bits

// Where row r of the matrices is: far apart, and not in their order.
__host__ __device__ int placeOf(int r) { return (r * 7 % rows) * pitch; }

template <int count, bool transposed> __device__ void load(u32 address, u32 *r) {
  if (count == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
  if (count == 1 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
  if (count == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address));
  if (count == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.x2.m8n8.trans.shared::cta.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address));
  if (count == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
  if (count == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

template <int count, bool transposed> __device__ void store(u32 address, const u32 *r) {
  if (count == 1 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(address), "r"(r[0]) : "memory");
  if (count == 1 && transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(address), "r"(r[0]) : "memory");
  if (count == 2 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(address), "r"(r[0]), "r"(r[1]) : "memory");
  if (count == 2 && transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(address), "r"(r[0]), "r"(r[1]) : "memory");
  if (count == 4 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  if (count == 4 && transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
}

// Each warp has rows of its own; loaded registers go out, and by way of stores back.
template <int count, bool transposed> __global__ void exchange(u32 *loaded, u16 *stored) {
  __shared__ __align__(16) u16 from[warps][rows * pitch];
  __shared__ __align__(16) u16 to[warps][rows * pitch];
  const int lane = threadIdx.x, warp = threadIdx.y;
  for (int i = lane; i < rows * pitch; i += 32) {
    from[warp][i] = (u16)(i * 31 + warp * 1000);
    to[warp][i] = 0;
  }
  __syncthreads();
  u32 r[4] = {};
  load<count, transposed>((u32)__cvta_generic_to_shared(&from[warp][placeOf(lane)]), r);
  for (int j = 0; j < count; ++j)
    loaded[(warp * 4 + j) * 32 + lane] = r[j];
  store<count, transposed>((u32)__cvta_generic_to_shared(&to[warp][placeOf(lane)]), r);
  __syncthreads();
  for (int i = lane; i < rows * pitch; i += 32)
    stored[warp * rows * pitch + i] = to[warp][i];
}

template <int count, bool transposed> void test() {
  check::Array<u32> loaded(warps * 4 * 32);
  check::Array<u16> stored(warps * rows * pitch);
  exchange<count, transposed><<<1, dim3(32, warps)>>>(loaded, stored);
  loaded.get();
  stored.get();
  for (int warp = 0; warp < warps; ++warp) {
    auto element = [&](int j, int r, int c) {
      return (u32)(u16)((placeOf(8 * j + r) + c) * 31 + warp * 1000);
    };
    for (int j = 0; j < count; ++j)
      for (int lane = 0; lane < 32; ++lane) {
        int g = lane / 4, t = lane % 4;
        u32 low = transposed ? element(j, 2 * t, g) : element(j, g, 2 * t);
        u32 high = transposed ? element(j, 2 * t + 1, g) : element(j, g, 2 * t + 1);
        CHECK_AT(count * 1000 + j * 32 + lane, loaded.host[(warp * 4 + j) * 32 + lane],
                 low | high << 16);
      }
    std::vector<u16> expected(rows * pitch);
    for (int r = 0; r < 8 * count; ++r)
      for (int c = 0; c < row; ++c)
        expected[placeOf(r) + c] = (u16)element(r / 8, r % 8, c);
    for (int i = 0; i < rows * pitch; ++i)
      CHECK_AT(i, stored.host[warp * rows * pitch + i], expected[i]);
  }
}

__global__ void transpose(u32 *out) {
  const u32 lane = threadIdx.x, value = lane * 2 | (lane * 2 + 1) << 16;
  u32 r;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(value));
  out[lane] = r;
}

int main() {
  test<1, false>();
  test<2, false>();
  test<4, false>();
  test<1, true>();
  test<2, true>();
  test<4, true>();
  check::Array<u32> out(32);
  transpose<<<1, 32>>>(out);
  out.get();
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 g = lane / 4, t = lane % 4;
    CHECK_AT(lane, out.host[lane], (2 * t * 8 + g) | ((2 * t + 1) * 8 + g) << 16);
  }
  return check::finish("ldmatrix");
}
