// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects looked at as another type's words, which C++ leaves open and kernels do: a
// structure shuffled word by word in a loop, numbers in global and shared memory changed
// as integers, rows of one type copied as another's vectors.

#include "Inputs/check.h"

typedef unsigned u32;
typedef unsigned long long u64;

struct Sum {
  u64 count;
  float total, least;
  short more[4];
};

__host__ __device__ inline void join(Sum &to, const Sum &from) {
  to.count += from.count;
  to.total += from.total;
  to.least = from.least < to.least ? from.least : to.least;
  for (int i = 0; i < 4; ++i)
    to.more[i] += from.more[i];
}

__host__ __device__ inline Sum first(u32 i) {
  return {i + (1ull << 33), i * 0.5f, 100.0f - i, {(short)i, 1, 2, (short)-i}};
}

// As libraries move values of any size.
__global__ void reduce(Sum *out, u32 lanes) {
  Sum mine = first(threadIdx.x);
  for (u32 step = 1; step < lanes; step *= 2) {
    Sum other;
    for (u32 w = 0; w < sizeof(Sum) / sizeof(int); ++w)
      reinterpret_cast<int *>(&other)[w] =
          __shfl_xor_sync(~0u, reinterpret_cast<const int *>(&mine)[w], step);
    join(mine, other);
  }
  out[threadIdx.x] = mine;
}

// Two pointers to one number, of different types.
__global__ void asInteger(float *number, u32 *bits, float *out) {
  const u32 i = threadIdx.x;
  const float before = number[i];
  bits[i] ^= 0x80000000u;
  out[i] = before * 2.0f + number[i];
}

__global__ void inShared(u32 *out) {
  __shared__ float numbers[64];
  const u32 i = threadIdx.x;
  numbers[i] = i;
  numbers[i + 32] = 0.0f;
  u64 *pairs = reinterpret_cast<u64 *>(numbers);
  __syncthreads();
  if (i < 16)
    pairs[i + 16] = pairs[15 - i];
  __syncthreads();
  numbers[i] += numbers[i + 32];
  out[i] = reinterpret_cast<u32 *>(numbers)[i];
}

// A row of bytes is filled as integers, and read as vectors of floats.
__global__ void rows(float4 *out, u32 words) {
  __align__(16) unsigned char row[64];
  for (u32 w = 0; w < words; ++w)
    reinterpret_cast<u32 *>(row)[w] = 0x3f800000u + (w << 16) + threadIdx.x;
  out[threadIdx.x] = reinterpret_cast<float4 *>(row)[threadIdx.x % (words / 4)];
}

static void reductions() {
  Sum *out;
  CUDA(cudaMallocManaged(&out, 32 * sizeof(Sum)));
  reduce<<<1, 32>>>(out, 32);
  CUDA(cudaDeviceSynchronize());
  Sum expected = first(0);
  for (u32 i = 1; i < 32; ++i)
    join(expected, first(i)); // Halves up to 248: no sum is rounded.
  for (u32 i = 0; i < 32; ++i) {
    CHECK_AT(i, out[i].count, expected.count);
    CHECK_AT(i, out[i].total, expected.total);
    CHECK_AT(i, out[i].least, expected.least);
    for (int k = 0; k < 4; ++k)
      CHECK_AT(i * 4 + k, out[i].more[k], expected.more[k]);
  }
  CUDA(cudaFree(out));
}

static void numbers() {
  float *number, *out;
  u32 *bits;
  CUDA(cudaMallocManaged(&number, 32 * sizeof(float)));
  CUDA(cudaMallocManaged(&out, 32 * sizeof(float)));
  CUDA(cudaMallocManaged(&bits, 32 * sizeof(u32)));
  for (u32 i = 0; i < 32; ++i)
    number[i] = i + 1.0f;
  asInteger<<<1, 32>>>(number, reinterpret_cast<u32 *>(number), out);
  inShared<<<1, 32>>>(bits);
  CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 32; ++i) {
    CHECK_AT(i, number[i], -(i + 1.0f));
    CHECK_AT(i, out[i], i + 1.0f);
    // The pair of i's word, from the other end.
    const float sum = i + (float)((15 - i / 2) * 2 + i % 2);
    u32 expected;
    memcpy(&expected, &sum, sizeof sum);
    CHECK_AT(i, bits[i], expected);
  }
  CUDA(cudaFree(number));
  CUDA(cudaFree(out));
  CUDA(cudaFree(bits));
}

static void vectors() {
  float4 *out;
  CUDA(cudaMallocManaged(&out, 32 * sizeof(float4)));
  rows<<<1, 32>>>(out, 16);
  CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 32; ++i) {
    u32 found[4];
    memcpy(found, &out[i], sizeof found);
    for (u32 k = 0; k < 4; ++k)
      CHECK_AT(i * 4 + k, found[k], 0x3f800000u + ((i % 4 * 4 + k) << 16) + i);
  }
  CUDA(cudaFree(out));
}

int main() {
  reductions();
  numbers();
  vectors();
  return check::finish("other_types");
}
