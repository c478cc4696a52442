// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables that are read with a masked number of the thread, beside arrays that
// are read with numbers that could wrap: neighbours of the thread read
// neighbours of the array, but not of the table.

#include "Inputs/check.h"

constexpr unsigned threads = 96;

__constant__ short four[4] = {33, 63, 54, 64};
__device__ const unsigned char eight[8] = {1, 2, 4, 8, 16, 32, 64, 128};

__global__ void lookUp(const unsigned *in, unsigned first, unsigned *out) {
  const unsigned i = threadIdx.x;
  out[i] = in[first + i] + four[i & 3] * 0x100u;
}

__global__ void lookUpTwice(const unsigned *in, unsigned first, unsigned *out) {
  const unsigned i = threadIdx.x;
  const unsigned char narrow = static_cast<unsigned char>(i + first);
  out[i] = in[first + i] + four[i % 4] * 0x100u + eight[i & 7] * 0x10000u +
           narrow * 0x1000000u;
}

/// A table that a row of the block has for itself.
__global__ void lookUpInRows(const unsigned *in, unsigned first,
                             unsigned *out) {
  __shared__ unsigned rows[threads];
  const unsigned i = threadIdx.x;
  rows[i] = in[first + i];
  __syncthreads();
  out[i] = rows[(i & ~7u) + ((first + i) & 7)] + four[(first + i) & 3] * 0x100u;
}

/// Sums with a masked number, which neighbours have neighbouring ones of only as long as
/// the number does not wrap.
__global__ void lookUpSums(const unsigned *in, unsigned *out) {
  __shared__ unsigned table[512];
  const unsigned i = threadIdx.x;
  for (unsigned k = i; k < 512; k += threads)
    table[k] = in[k];
  __syncthreads();
  unsigned *own = out + 8 * i;
  own[0] = table[2 * i - (i & 3)];
  own[1] = table[2 * i - (i & 7)];
  own[2] = table[(i & ~1u) * 2 + (i & 1)];
  own[3] = table[3 * i - 2 * (i & 15)];
  own[4] = table[i + (i & 6) / 2];
  own[5] = table[2 * i - static_cast<unsigned char>(i * 16) / 16];
  own[6] = table[2 * i - i % 32 + 4];
  own[7] = table[i / 4 + (i & 3)];
}

/// Pairs at a distance are exchanged where they are out of order.
template <unsigned stride>
__global__ void exchangePairs(const unsigned *in, unsigned *out) {
  __shared__ unsigned first[2 * threads], second[2 * threads];
  const unsigned i = threadIdx.x, at = 2 * i - (i & (stride - 1));
  for (unsigned k = i; k < 2 * threads; k += threads) {
    first[k] = in[k] * 0x9e3779b1u;
    second[k] = k;
  }
  __syncthreads();
  if (first[at] > first[at + stride]) {
    unsigned t = first[at];
    first[at] = first[at + stride];
    first[at + stride] = t;
    t = second[at];
    second[at] = second[at + stride];
    second[at + stride] = t;
  }
  __syncthreads();
  out[i] = second[i];
  out[threads + i] = second[threads + i];
}

static void testSums(const unsigned *in, unsigned *out) {
  lookUpSums<<<1, threads>>>(in, out);
  CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned places[8] = {2 * i - i % 4,
                                2 * i - i % 8,
                                i / 2 * 4 + i % 2,
                                3 * i - 2 * (i % 16),
                                i + i / 2 % 4,
                                2 * i - i % 16,
                                2 * i - i % 32 + 4,
                                i / 4 + i % 4};
    for (unsigned k = 0; k < 8; ++k)
      CHECK_AT(8 * i + k, out[8 * i + k], in[places[k]]);
  }
}

template <unsigned stride>
static void testExchange(const unsigned *in, unsigned *out) {
  exchangePairs<stride><<<1, threads>>>(in, out);
  CUDA(cudaDeviceSynchronize());
  for (unsigned k = 0; k < 2 * threads; ++k) {
    const unsigned a = k & ~stride, b = k | stride;
    const bool isOrdered = in[a] * 0x9e3779b1u <= in[b] * 0x9e3779b1u;
    CHECK_AT(k, out[k], isOrdered ? k : k ^ stride);
  }
}

int main() {
  unsigned *in, *out;
  CUDA(cudaMallocManaged(&in, 1024 * sizeof(unsigned)));
  CUDA(cudaMallocManaged(&out, 8 * threads * sizeof(unsigned)));
  for (unsigned i = 0; i < 1024; ++i)
    in[i] = i & 0xff;
  const short tableOfFour[4] = {33, 63, 54, 64};
  for (unsigned first : {0u, 5u, 200u}) {
    lookUp<<<1, threads>>>(in, first, out);
    CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < threads; ++i)
      CHECK_AT(i, out[i], in[first + i] + tableOfFour[i & 3] * 0x100u);
    lookUpTwice<<<1, threads>>>(in, first, out);
    CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < threads; ++i)
      CHECK_AT(i, out[i],
               in[first + i] + tableOfFour[i & 3] * 0x100u +
                   (1u << (i & 7)) * 0x10000u +
                   ((i + first) & 0xff) * 0x1000000u);
    lookUpInRows<<<1, threads>>>(in, first, out);
    CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < threads; ++i)
      CHECK_AT(i, out[i],
               in[first + (i & ~7u) + ((first + i) & 7)] +
                   tableOfFour[(first + i) & 3] * 0x100u);
  }
  for (unsigned i = 0; i < 1024; ++i)
    in[i] = i * 7 + 3;
  testSums(in, out);
  testExchange<1>(in, out);
  testExchange<2>(in, out);
  testExchange<4>(in, out);
  testExchange<16>(in, out);
  return check::finish("masked_indices");
}
