// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of four warps: A from registers and from memory, each swizzle, lines
// along memory and across it, signs, sums that are kept or not. The sums are exact.
// PTX ISA: Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions.

#include "Inputs/check.h"
#include <cstring>
#include <cuda_fp16.h>

typedef unsigned u32;
typedef unsigned long long u64;

constexpr int M = 64, N = 16, K = 16;

/// Where an element lies: `line` is a row of A or a column of B. Swizzle 0 to 3 as in
/// descriptors; units of 16 bytes side by side: 1, 8, 4, 2.
__host__ __device__ int placeOf(int line, int k, int swizzle, bool isAcross) {
  const int pitch = swizzle == 0 ? 1 : 16 >> swizzle;
  int bytes;
  if (!isAcross) {
    const int chunk = k / 8;
    bytes = line % 8 * pitch * 16 + line / 8 * (swizzle ? pitch * 128 + 1024 : 1024) +
            chunk * (swizzle ? 16 : 128) + k % 8 * 2;
  } else {
    const int unit = line / 8;
    const int group = swizzle ? unit / pitch * 4096 : unit * 512;
    const int eight = swizzle ? k / 8 * 2048 : k / 8 * 256;
    bytes = unit % pitch * 16 + group + k % 8 * pitch * 16 + eight + line % 8 * 2;
  }
  return bytes ^ ((bytes >> 3) & (pitch - 1) << 4);
}

__device__ u64 descriptor(const void *at, int swizzle, bool isAcross) {
  const int pitch = swizzle == 0 ? 1 : 16 >> swizzle;
  u64 leading, stride;
  if (!isAcross) {
    leading = 128;
    stride = swizzle ? pitch * 128 + 1024 : 1024;
  } else {
    leading = swizzle ? 4096 : 256;
    stride = swizzle ? 2048 : 512;
  }
  const u64 start = (u32)__cvta_generic_to_shared(at) & 0x3FFFF;
  return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | (u64)swizzle << 62;
}

#define SUMS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define FRAGMENT                                                                         \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
#define PRODUCT(a, b)                                                                    \
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0;"                                  \
               "  wgmma.fence.sync.aligned;"                                             \
               "  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " SUMS              \
               ", %8, %9, p, -1, 1, " #a ", " #b ";"                                     \
               "  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"   \
               : FRAGMENT                                                                \
               : "l"(da), "l"(db), "r"(isAdded)                                          \
               : "memory")

/// D = -A B, or D - A B, of four warps. The matrices lie in `shared` as they should.
__global__ void product(const half *a, const half *b, float *out, int swizzle, int across,
                        int isAdded) {
  extern __shared__ __align__(128) unsigned char shared[];
  unsigned char *sharedB = shared + 16384;
  for (int i = threadIdx.x; i < M * K; i += blockDim.x)
    *(half *)(shared + placeOf(i / K, i % K, swizzle, across & 1)) = a[i];
  for (int i = threadIdx.x; i < N * K; i += blockDim.x)
    *(half *)(sharedB + placeOf(i / K, i % K, swizzle, across & 2)) = b[i];
  __syncthreads();
  const u64 da = descriptor(shared, swizzle, across & 1);
  const u64 db = descriptor(sharedB, swizzle, across & 2);
  float d[8];
  for (int i = 0; i < 8; ++i)
    d[i] = i + 1;
  switch (across) {
  case 0: PRODUCT(0, 0); break;
  case 1: PRODUCT(1, 0); break;
  case 2: PRODUCT(0, 1); break;
  default: PRODUCT(1, 1); break;
  }
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 8; ++i)
    out[(row + (i & 2) * 4) * N + i / 4 * 8 + lane % 4 * 2 + (i & 1)] = d[i];
}

/// A is in registers, the type of the sums is half.
__global__ void fromRegisters(const half *a, const half *b, float *out) {
  __shared__ __align__(128) unsigned char sharedB[4096];
  for (int i = threadIdx.x; i < N * K; i += blockDim.x)
    *(half *)(sharedB + placeOf(i / K, i % K, 0, false)) = b[i];
  __syncthreads();
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  u32 word[4], d[4] = {};
  for (int i = 0; i < 4; ++i)
    memcpy(&word[i], a + (row + (i & 1) * 8) * K + (i >> 1) * 8 + lane % 4 * 2, 4);
  asm volatile("{ .reg .pred p; setp.ne.b32 p, 0, 1;"
               "  wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3},"
               "    {%4, %5, %6, %7}, %8, p, 1, 1, 0; }"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3]),
                 "l"(descriptor(sharedB, 0, false))
               : "memory");
  for (int i = 0; i < 8; ++i) {
    const unsigned short bits = d[i / 2] >> (i & 1) * 16;
    out[(row + (i & 2) * 4) * N + i / 4 * 8 + lane % 4 * 2 + (i & 1)] =
        __half2float(__ushort_as_half(bits));
  }
}

static bool matches(const float *out, const half *a, const half *b, int sign, bool isAdded) {
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < N; ++column) {
      const int register_ = column / 8 * 4 + (row % 16 / 8) * 2 + column % 2;
      float sum = isAdded ? register_ + 1 : 0;
      for (int k = 0; k < K; ++k)
        sum += sign * __half2float(a[row * K + k]) * __half2float(b[column * K + k]);
      if (out[row * N + column] != sum)
        return false;
    }
  return true;
}

int main() {
  half *a, *b;
  float *out;
  CUDA(cudaMallocManaged(&a, M * K * sizeof(half)));
  CUDA(cudaMallocManaged(&b, N * K * sizeof(half)));
  CUDA(cudaMallocManaged(&out, M * N * sizeof(float)));
  for (int i = 0; i < M * K; ++i)
    a[i] = __float2half((i * 7 + i / K * 3) % 17 - 8);
  for (int i = 0; i < N * K; ++i)
    b[i] = __float2half((i * 5 + i / K) % 13 - 6);
  for (int swizzle = 0; swizzle < 4; ++swizzle)
    for (int across = 0; across < 4; ++across)
      for (int isAdded = 0; isAdded < 2; ++isAdded) {
        product<<<1, 128, 32768>>>(a, b, out, swizzle, across, isAdded);
        CUDA(cudaDeviceSynchronize());
        CHECK_TRUE(matches(out, a, b, -1, isAdded));
      }
  fromRegisters<<<1, 128>>>(a, b, out);
  CUDA(cudaDeviceSynchronize());
  CHECK_TRUE(matches(out, a, b, 1, false));
  return check::finish("warpgroups");
}
