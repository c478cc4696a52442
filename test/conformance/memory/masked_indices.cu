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

int main() {
  unsigned *in, *out;
  CUDA(cudaMallocManaged(&in, 1024 * sizeof(unsigned)));
  CUDA(cudaMallocManaged(&out, threads * sizeof(unsigned)));
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
  return check::finish("masked_indices");
}
