// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with many barriers and shuffles, each of which can be skipped: by warps, by the
// whole block for what it finds in memory, and by the whole block for an argument. From
// each there is a way to all that follow.

#include "Inputs/check.h"

constexpr int threads = 96, rounds = 3;

#define TIMES_4(m) m m m m
#define TIMES_16(m) TIMES_4(TIMES_4(m))
#define TIMES_64(m) TIMES_4(TIMES_16(m))

__host__ __device__ inline unsigned mix(unsigned value, unsigned i) {
  return (value ^ (i * 0x9E3779B9u)) * 0x85EBCA6Bu + (value >> 13);
}

// Statement i is for the warps whose bits are set in pattern[i].
__global__ void warps(unsigned *data, const unsigned *pattern) {
  unsigned t = threadIdx.x, x = data[t];
  const unsigned *next = pattern;
  TIMES_64(if (*next >> t / 32 & 1) x = mix(x + __shfl_xor_sync(~0u, x, *next >> 8 & 31), *next);
           else x ^= *next; ++next;)
  data[t] = x;
}

// Statement i is for the block if pattern[i] is odd.
__device__ __forceinline__ unsigned exchange(unsigned *shared, unsigned x, unsigned with) {
  shared[threadIdx.x] = x;
  __syncthreads();
  x = mix(x + shared[(threadIdx.x + with) % threads], with);
  __syncthreads();
  return x;
}
__global__ void blocks(unsigned *data, const unsigned *pattern) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = data[t];
  for (int round = 0; round < rounds; ++round) {
    const unsigned *next = pattern;
    TIMES_64(if (*next & 1) x = exchange(shared, x, *next >> 8); else x ^= *next; ++next;)
  }
  data[t] = x;
}

// The same by the bits of an argument.
__global__ void arguments(unsigned *data, unsigned which) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = data[t];
  for (int round = 0; round < rounds; ++round) {
    unsigned rest = which, i = 0;
    TIMES_16(if (rest & 1) x = exchange(shared, x, i); else x ^= i; rest >>= 1; ++i;)
  }
  data[t] = x;
}

using Values = std::vector<unsigned>;

static Values start() {
  Values values(threads);
  for (unsigned t = 0; t < threads; ++t)
    values[t] = mix(t, 5);
  return values;
}

static void exchangeAll(Values &x, unsigned with) {
  Values before = x;
  for (unsigned t = 0; t < threads; ++t)
    x[t] = mix(before[t] + before[(t + with) % threads], with);
}

static Values expectWarps(const Values &pattern) {
  Values x = start();
  for (unsigned word : pattern) {
    Values before = x;
    for (unsigned t = 0; t < threads; ++t)
      x[t] = word >> t / 32 & 1 ? mix(before[t] + before[t ^ (word >> 8 & 31)], word)
                                : before[t] ^ word;
  }
  return x;
}

template <class IsTaken, class WordOf>
static Values expectBlocks(unsigned count, IsTaken isTaken, WordOf wordOf, unsigned shift) {
  Values x = start();
  for (int round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < count; ++i)
      if (isTaken(i))
        exchangeAll(x, wordOf(i) >> shift);
      else
        for (unsigned &value : x)
          value ^= wordOf(i);
  return x;
}

static void compare(const unsigned *data, const Values &expected) {
  CUDA(cudaDeviceSynchronize());
  Values found(threads);
  CUDA(cudaMemcpy(found.data(), data, threads * 4, cudaMemcpyDeviceToHost));
  for (int t = 0; t < threads; ++t)
    CHECK_AT(t, found[t], expected[t]);
}

int main() {
  Values pattern(64);
  for (unsigned i = 0; i < 64; ++i)
    pattern[i] = mix(i * 77 + 3, 11) >> 9;
  const unsigned which = 0xB2D1;
  unsigned *data, *words;
  CUDA(cudaMalloc(&data, threads * 4));
  CUDA(cudaMalloc(&words, 64 * 4));
  CUDA(cudaMemcpy(words, pattern.data(), 64 * 4, cudaMemcpyHostToDevice));
  auto fill = [&] {
    CUDA(cudaMemcpy(data, start().data(), threads * 4, cudaMemcpyHostToDevice));
  };
  auto wordOf = [&](unsigned i) { return pattern[i]; };
  fill();
  warps<<<1, threads>>>(data, words);
  compare(data, expectWarps(pattern));
  fill();
  blocks<<<1, threads>>>(data, words);
  compare(data, expectBlocks(64, [&](unsigned i) { return pattern[i] & 1; }, wordOf, 8));
  fill();
  arguments<<<1, threads>>>(data, which);
  compare(data, expectBlocks(16, [&](unsigned i) { return which >> i & 1; },
                             [](unsigned i) { return i; }, 0));
  CUDA(cudaFree(words));
  CUDA(cudaFree(data));
  return check::finish("many_skipped_points");
}
