// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words and their parts, of shared memory, one after the other in one thread.
#include <cstdio>

__global__ void parts(unsigned *out, int n) {
  __shared__ union {
    unsigned words[4];
    unsigned short halves[8];
    unsigned char bytes[16];
  } shared;
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    shared.words[i & 3] = i * 2654435761u + blockIdx.x;
    const unsigned at = i & 3;
    sum = sum * 31 + shared.bytes[4 * at + (i + n & 3)];
    shared.bytes[4 * at + (sum & 3)] = i;
    sum = sum * 31 + shared.words[at];
    shared.halves[2 * at + (sum & 1)] = i * 77;
    sum = sum * 31 + shared.words[at];
    shared.words[at] = sum;
    sum ^= shared.halves[2 * at + (i + n & 1)];
    shared.bytes[4 * at + (sum & 3)] = i + 1;
    sum += shared.halves[2 * at + (i + n + 1 & 1)];
  }
  out[blockIdx.x] = sum;
}

int main() {
  constexpr int blocks = 60;
  unsigned *out;
  cudaMallocManaged(&out, blocks * sizeof(unsigned));
  parts<<<blocks, 1>>>(out, 50);
  cudaDeviceSynchronize();
  for (int i = 0; i < blocks; ++i)
    std::printf("%08x\n", out[i]);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
