// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of 8 and 16 bytes, by casts, to variables whose elements are smaller: shared,
// static and dynamic, of the device and constant ones, beside small variables.
// CUDA C++ Programming Guide: Device Memory Accesses, Size and Alignment Requirement.

#include "Inputs/check.h"

constexpr int threads = 64, pitch = 20;

__device__ char before = 3;
__device__ short table[4 * threads];
__constant__ unsigned char constants[16 * 3 + 5];

struct Tiles {
  float rows[threads][pitch];
  short columns[8][threads];
};

__global__ void access(const float *in, float *out, int shift) {
  __shared__ char odd[5];
  __shared__ Tiles tiles;
  __shared__ unsigned short words[2][threads * 4];
  extern __shared__ float dynamic[];
  const int i = threadIdx.x, other = (i + shift) % threads;
  if (i < 5)
    odd[i] = (char)i;
  const float4 four = *(const float4 *)&in[4 * i];
  *(float4 *)&tiles.rows[i][shift * 4] = four;
  reinterpret_cast<float4 &>(dynamic[4 * i]) = four;
  *reinterpret_cast<int2 *>(&words[shift & 1][4 * i]) = {i, shift};
  *(uint2 *)&words[~shift & 1][4 * i] = {(unsigned)shift, (unsigned)i};
  *(int2 *)&table[4 * i] = {2 * i, i + before};
  __syncthreads();
  const float4 row = *(const float4 *)&tiles.rows[other][shift * 4];
  const float4 moved = ((float4 *)dynamic)[other];
  const ulonglong2 both = *(const ulonglong2 *)&words[i & 1][8 * (i / 2)];
  const uint4 constant = *(const uint4 *)&constants[16 * (i % 3)];
  *(int4 *)tiles.columns[i % 8] = {i, 1, 2, 3};
  float sum = row.x + 2 * row.y + 3 * row.z + 4 * row.w;
  sum += moved.x - moved.w + odd[i % 5];
  sum += (float)(both.x >> 32) + (float)(both.y & 0xffff) + (float)constant.y;
  out[i] = sum + (float)reinterpret_cast<int2 &>(table[4 * i]).y;
}

static float expected(const float *in, int i, int shift, const unsigned char *constants) {
  const int other = (i + shift) % threads;
  const float *row = in + 4 * other;
  const int first = i / 2 * 2; // the pair of threads whose words are read
  const bool isOwn = (i & 1) == (shift & 1);
  unsigned word;
  memcpy(&word, constants + 16 * (i % 3) + 4, 4);
  float sum = row[0] + 2 * row[1] + 3 * row[2] + 4 * row[3];
  sum += row[0] - row[3] + (float)(i % 5);
  sum += (float)(isOwn ? shift : first) + (float)(isOwn ? first + 1 : shift) + (float)word;
  return sum + (float)(i + 3);
}

int main() {
  check::Array<float> in(4 * threads), out(threads);
  for (int i = 0; i < 4 * threads; ++i)
    in.host[i] = (float)(i * 37 % 101);
  in.put();
  unsigned char numbers[sizeof(constants)];
  for (size_t i = 0; i < sizeof(numbers); ++i)
    numbers[i] = (unsigned char)(i % 4 == 3 || i % 4 == 2 ? 0 : i * 5);
  CUDA(cudaMemcpyToSymbol(constants, numbers, sizeof(numbers)));
  for (int shift = 0; shift < 4; ++shift) {
    access<<<1, threads, 4 * threads * sizeof(float)>>>(in, out, shift);
    out.get();
    for (int i = 0; i < threads; ++i)
      CHECK_AT(i, out.host[i], expected(in.host.data(), i, shift, numbers));
  }
  return check::finish("memory/wide_accesses");
}
