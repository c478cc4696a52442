// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's generators in kernels: the numbers that NVIDIA's give for a seed, a sequence and
// an offset, and jumps, which are as many steps.
// cuRAND documentation: Device API, Bit Generation with XORWOW and Philox_4x32_10.

#include "Inputs/check.h"
#include <curand_kernel.h>

typedef unsigned long long Long;

struct Start {
  Long seed, sequence, offset;
};
constexpr Start starts[] = {{0, 0, 0},
                            {1234, 0, 0},
                            {1234, 5, 0},
                            {1234, 0, 7},
                            {0xfedcba9876543210, 123456789, 987654321012345},
                            {42, 0xffffffff, 3}};
constexpr int startCount = sizeof starts / sizeof *starts, numbers = 4;

template <class State> __global__ void generate(const Start *starts, unsigned *out) {
  const Start &start = starts[threadIdx.x];
  State state;
  curand_init(start.seed, start.sequence, start.offset, &state);
  for (int i = 0; i < numbers; ++i)
    out[threadIdx.x * numbers + i] = curand(&state);
}

template <class State>
static void checkNumbers(const unsigned (&expected)[startCount][numbers], int place) {
  check::Array<Start> in(startCount);
  check::Array<unsigned> out(startCount * numbers);
  for (int i = 0; i < startCount; ++i)
    in.host[i] = starts[i];
  in.put();
  out.fill(0);
  generate<State><<<1, startCount>>>(in, out);
  out.get();
  for (int i = 0; i < startCount * numbers; ++i)
    CHECK_AT(place + i, out.host[i], expected[i / numbers][i % numbers]);
}

// Twice 2^k steps are 2^(k + 1), and the first thousand are counted.
template <class State> __global__ void jump(unsigned *out) {
  const int k = threadIdx.x;
  State one, two;
  curand_init(99, 3, 0, &one);
  two = one;
  if (k < 63) {
    skipahead(1ull << k, &one);
    skipahead(1ull << k, &one);
    skipahead(2ull << k, &two);
  } else {
    for (int i = 0; i < 1000; ++i)
      curand(&one);
    skipahead(1000, &two);
  }
  out[k] = curand(&one) ^ curand(&two);
}

template <class State> static void checkJumps(int place) {
  check::Array<unsigned> out(64);
  out.fill(1);
  jump<State><<<1, 64>>>(out);
  out.get();
  for (int k = 0; k < 64; ++k)
    CHECK_AT(place + k, out.host[k], 0u);
}

// A sequence of XORWOW is 2^67 long, one of Philox 2^66.
__global__ void endSequence(unsigned *out) {
  curandState a, b;
  curand_init(7, 0, 0, &a);
  curand_init(7, 1, 0, &b);
  for (int i = 0; i < 16; ++i)
    skipahead(1ull << 63, &a);
  out[0] = curand(&a) ^ curand(&b);
  curandStatePhilox4_32_10_t c, d;
  curand_init(7, 0, 0, &c);
  curand_init(7, 1, 0, &d);
  for (int i = 0; i < 8; ++i)
    skipahead(1ull << 63, &c);
  out[1] = curand(&c) ^ curand(&d);
}

// Four numbers of Philox at once are the next four, wherever it is.
__global__ void inFours(unsigned *out) {
  curandStatePhilox4_32_10_t one, four;
  curand_init(1, 2, threadIdx.x, &one);
  four = one;
  const uint4 all = curand4(&four);
  out[threadIdx.x] = (all.x ^ curand(&one)) | (all.y ^ curand(&one)) |
                     (all.z ^ curand(&one)) | (all.w ^ curand(&one)) |
                     (curand(&four) ^ curand(&one));
}

// Of the numbers 2^-k as directions a Sobol sequence is Gray's code in reverse.
__global__ void sobol(unsigned *out) {
  curandDirectionVectors32_t narrow;
  curandDirectionVectors64_t wide;
  for (int k = 0; k < 32; ++k)
    narrow[k] = 0x80000000u >> k;
  for (int k = 0; k < 64; ++k)
    wide[k] = 0x8000000000000000ull >> k;
  curandStateSobol32_t a;
  curandStateScrambledSobol32_t b;
  curandStateSobol64_t c;
  curandStateScrambledSobol64_t d;
  curand_init(narrow, threadIdx.x, &a);
  curand_init(narrow, 0x12345678u, threadIdx.x, &b);
  curand_init(wide, (Long)threadIdx.x, &c);
  curand_init(wide, 0x123456789abcdefull, (Long)threadIdx.x, &d);
  unsigned wrong = 0;
  for (unsigned i = threadIdx.x; i < threadIdx.x + 9; ++i) {
    const unsigned want = __brev(i ^ (i >> 1));
    wrong |= (curand(&a) ^ want) | (curand(&b) ^ want ^ 0x12345678u);
    wrong |= (unsigned)((curand(&c) >> 32) ^ want);
    wrong |= (unsigned)(curand(&d) >> 32) ^ want ^ 0x1234567u;
  }
  out[threadIdx.x] = wrong;
}

template <class Kernel> static void checkZeros(Kernel kernel, int count, int place) {
  check::Array<unsigned> out(count);
  out.fill(1);
  kernel<<<1, count == 2 ? 1 : count>>>(out);
  out.get();
  for (int i = 0; i < count; ++i)
    CHECK_AT(place + i, out.host[i], 0u);
}

int main() {
  checkNumbers<curandStateXORWOW_t>({{0xbd7f03b6, 0x703e556d, 0x845af0c5, 0x283067fd},
                                     {0x253d5e15, 0x6f558604, 0xdee6daf2, 0x7485b394},
                                     {0xde75663f, 0x8051a417, 0x36ce116c, 0x615a80aa},
                                     {0xc9682545, 0x4cff66d5, 0x5de5c108, 0x93ad0e4a},
                                     {0x6d5c68bc, 0x5f160584, 0xa96129b9, 0xf3537857},
                                     {0xfae5f3e4, 0x3d3f4211, 0xad6d7677, 0x2c5c7c15}},
                                    0);
  checkNumbers<curandStatePhilox4_32_10_t>(
      {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
       {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e},
       {0xf942741c, 0xb7a11b7a, 0x8b27a0cc, 0xbd95acc8},
       {0x147edd50, 0x3fc9c8d8, 0xfc06fa38, 0xcc170b27},
       {0xf9274ea7, 0xf3ea4285, 0x5d78daff, 0x26bcfc48},
       {0x4d30fa2d, 0x0a264676, 0x8cff97e1, 0xc803a5aa}},
      100);
  checkNumbers<curandStateMRG32k3a_t>({{0x2083cd07, 0x518b05c4, 0x4f26d091, 0xd36ab334},
                                       {0xc96891f0, 0x9650c684, 0x0cbc7881, 0x5fa111cd},
                                       {0x4df33f46, 0xa9d0589e, 0x2164ebe9, 0x6932a3f4},
                                       {0xcd100fe0, 0x52d6b4c6, 0x85e4dd5b, 0x733c8bf4},
                                       {0xe245a626, 0x8f5bee20, 0x0be07917, 0xdcc21728},
                                       {0x38ac0f72, 0x63120983, 0x476f21ca, 0x5e267e41}},
                                      200);
  checkJumps<curandStateXORWOW_t>(300);
  checkJumps<curandStatePhilox4_32_10_t>(400);
  checkJumps<curandStateMRG32k3a_t>(500);
  checkZeros(endSequence, 2, 600);
  checkZeros(inFours, 9, 700);
  checkZeros(sobol, 20, 800);
  return check::finish("generators");
}
