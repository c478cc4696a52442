// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async: all sizes, parts of them, predicates, and groups that are waited for one after
// the other while later ones are under way.
// PTX ISA: Data Movement and Conversion Instructions, Non-bulk copy.

#include "Inputs/check.h"

constexpr int threads = 64;

__device__ unsigned sharedAddress(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

// Thread i copies min(i % 20, bytes) bytes; what is behind is zero.
template <int bytes> __global__ void parts(unsigned char *out, const unsigned char *in) {
  __shared__ __align__(16) unsigned char tile[threads * bytes];
  const int i = threadIdx.x;
  const unsigned size = i % 20 < bytes ? i % 20 : bytes;
  for (int k = 0; k < bytes; ++k)
    tile[i * bytes + k] = 0xEE;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(
                   sharedAddress(tile + i * bytes)),
               "l"(in + i * bytes), "n"(bytes), "r"(size)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int k = 0; k < bytes; ++k)
    out[i * bytes + k] = tile[i * bytes + k];
}

// Zero or all: how libraries copy what may lie outside of a matrix. Odd threads copy one
// word more, elsewhere.
__global__ void edges(uint4 *out, unsigned *words, const uint4 *in, int count) {
  __shared__ uint4 tile[threads];
  __shared__ unsigned more[threads];
  const int i = threadIdx.x;
  const bool isInside = i < count;
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\t"
               "cp.async.cg.shared.global.L2::128B [%0], [%2], 16, %3;\n\t"
               "@p cp.async.ca.shared.global [%1], [%2], 4; }" ::"r"(
                   sharedAddress(tile + i)),
               "r"(sharedAddress(more + i)), "l"(in + (isInside ? i : 0)),
               "r"(isInside ? 16 : 0), "r"(i & 1)
               : "memory");
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[i] = tile[i ^ 1];
  words[i] = more[i | 1];
}

// A ring of four tiles, three of which are under way. Blocks may be suspended at the
// barrier.
__global__ void ring(unsigned *out, const unsigned *in, int rounds) {
  constexpr int tiles = 4;
  __shared__ __align__(16) unsigned tile[tiles][threads * 4];
  const int i = threadIdx.x;
  auto fetch = [&](int round) {
    if (round < rounds)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       sharedAddress(&tile[round % tiles][i * 4])),
                   "l"(in + (round % 61 * threads + i) * 4)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int round = 0; round < tiles - 1; ++round)
    fetch(round);
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) {
    asm volatile("cp.async.wait_group 2;" ::: "memory");
    __syncthreads();
    fetch(round + tiles - 1);
    for (int k = 0; k < 4; ++k)
      sum = sum * 31 + tile[round % tiles][(i * 4 + 7 * k + round) % (threads * 4)];
  }
  out[blockIdx.x * threads + i] = sum;
}

// The copies that a barrier in memory waits for.
__global__ void counted(unsigned *out, const unsigned *in) {
  __shared__ __align__(8) unsigned long long barrier;
  __shared__ unsigned tile[threads];
  const int i = threadIdx.x;
  const unsigned address = sharedAddress(&barrier);
  if (i == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(threads)
                 : "memory");
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\t"
               "cp.async.mbarrier.arrive.noinc.shared.b64 [%2];" ::"r"(
                   sharedAddress(tile + i)),
               "l"(in + i), "r"(address)
               : "memory");
  asm volatile("{ .reg .pred done;\n"
               "again: mbarrier.test_wait.parity.shared.b64 done, [%0], 0;\n"
               "@!done bra again; }" ::"r"(address)
               : "memory");
  out[i] = tile[(i + 17) % threads];
}

template <int bytes> void testParts(unsigned &state) {
  check::Array<unsigned char> in(threads * bytes), out(threads * bytes);
  for (unsigned char &byte : in.host)
    byte = (unsigned char)check::random(state);
  in.put();
  parts<bytes><<<1, threads>>>(out, in);
  out.get();
  for (int i = 0; i < threads; ++i)
    for (int k = 0; k < bytes; ++k)
      CHECK_AT(i * 100 + k, out.host[i * bytes + k],
               k < i % 20 ? in.host[i * bytes + k] : 0);
}

int main() {
  unsigned state = 7;
  testParts<4>(state);
  testParts<8>(state);
  testParts<16>(state);

  check::Array<unsigned> in(61 * threads * 4), out(threads * 4), words(threads);
  for (unsigned &word : in.host)
    word = check::random(state);
  in.put();
  constexpr int inside = 41;
  edges<<<1, threads>>>((uint4 *)(unsigned *)out, words, (const uint4 *)(unsigned *)in,
                        inside);
  out.get(), words.get();
  for (int i = 0; i < threads; ++i) {
    for (int k = 0; k < 4; ++k)
      CHECK_AT(i * 4 + k, out.host[i * 4 + k],
               (i ^ 1) < inside ? in.host[(i ^ 1) * 4 + k] : 0);
    CHECK_AT(i, words.host[i], in.host[(i | 1) < inside ? (i | 1) * 4 : 0]);
  }

  constexpr int blocks = 3, rounds = 400;
  check::Array<unsigned> sums(blocks * threads);
  ring<<<blocks, threads>>>(sums, in, rounds);
  sums.get();
  for (int i = 0; i < blocks * threads; ++i) {
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round)
      for (int k = 0; k < 4; ++k)
        sum = sum * 31 + in.host[round % 61 * threads * 4 +
                                 (i % threads * 4 + 7 * k + round) % (threads * 4)];
    CHECK_AT(i, sums.host[i], sum);
  }

  check::Array<unsigned> moved(threads);
  counted<<<1, threads>>>(moved, in);
  moved.get();
  for (int i = 0; i < threads; ++i)
    CHECK_AT(i, moved.host[i], in.host[(i + 17) % threads]);
  return check::finish("copies");
}
