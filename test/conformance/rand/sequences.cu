// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcurand
//
// XORWOW, MRG32k3a and Philox by the host interface: each result is the one that the
// documentation's rule says, by the functions for kernels; on the device, and in the
// program's memory where no mathematical function is in it.
// cuRAND documentation: 2.2, Generator Options.

#include "Inputs/rand.h"
#include <curand_kernel.h>

using namespace rnd;
typedef unsigned long long Long;

/// How results are given out: `width` of a sequence, then the next one's.
struct Rule {
  Long seed;
  unsigned sequences, width;
  Long seedStep;
};

/// Result i of a generator whose every call is for one kind.
template <class State, class Draw, class T>
__global__ void byRule(Rule rule, Long offset, T *out, unsigned count, Draw draw) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Long at = offset + i, unit = at / rule.width, row = unit / rule.sequences;
  const unsigned sequence = unsigned(unit % rule.sequences);
  State state;
  if (rule.seedStep)
    curand_init(rule.seed + sequence * rule.seedStep, 0, 0, &state);
  else
    curand_init(rule.seed, sequence, 0, &state);
  for (Long n = 0; n < row * rule.width + at % rule.width; ++n)
    draw(&state);
  out[i] = draw(&state);
}

template <class State> struct Bits {
  __device__ unsigned operator()(State *state) const { return curand(state); }
};
template <class State> struct Uniform {
  __device__ float operator()(State *state) const { return curand_uniform(state); }
};
template <class State> struct Normal {
  __device__ float operator()(State *state) const {
    return curand_normal(state) * 2.0f + 1.0f;
  }
};

template <class State, class T, class Draw, class Call>
void checkKind(curandRngType_t type, curandOrdering_t order, Rule rule, Long offset,
               bool host, const std::vector<size_t> &sizes, Draw draw, const Call &call) {
  Generator generator(type, host);
  RAND(curandSetGeneratorOrdering(generator, order));
  RAND(curandSetPseudoRandomGeneratorSeed(generator, rule.seed));
  RAND(curandSetGeneratorOffset(generator, offset));
  const std::vector<T> found = generate<T>(generator, sizes, call);
  check::Array<T> expected(found.size());
  const unsigned count = unsigned(found.size());
  byRule<State><<<(count + 127) / 128, 128>>>(rule, offset, static_cast<T *>(expected),
                                              count, draw);
  compare(found, expected.get());
}

template <class State>
void checkRule(curandRngType_t type, curandOrdering_t order, Rule rule, Long offset) {
  // More than a row of the shortest, with pieces that end inside of units.
  const bool few = check::setting("HET_LITMUS_RUNS", 1 << 20) <= 2000;
  const std::vector<size_t> sizes = {5, 1, few ? 100u : 4090u, 7, few ? 50u : 5001u};
  for (bool host : {false, true}) {
    checkKind<State, unsigned>(type, order, rule, offset, host, sizes, Bits<State>(),
                               curandGenerate);
    checkKind<State, float>(type, order, rule, offset, host, sizes, Uniform<State>(),
                            curandGenerateUniform);
  }
}

/// A pair of normal numbers is of two of a sequence's.
static void checkNormal() {
  Generator generator(CURAND_RNG_PSEUDO_XORWOW, false);
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 5));
  const std::vector<float> found = generate<float>(
      generator, {64, 6, 200}, [](curandGenerator_t generator, float *place, size_t n) {
        return curandGenerateNormal(generator, place, n, 1, 2);
      });
  check::Array<float> expected(found.size());
  byRule<curandStateXORWOW_t>
      <<<3, 128>>>(Rule{5, 4096, 2, 0}, 0, static_cast<float *>(expected),
                   unsigned(found.size()), Normal<curandStateXORWOW_t>());
  compare(found, expected.get());
}

/// What NVIDIA's library gives for these seeds, on the host too.
static void checkKnown() {
  const struct {
    curandRngType_t type;
    std::vector<unsigned> numbers;
  } known[] = {
      {CURAND_RNG_PSEUDO_MRG32K3A, {0x2083cd07, 0x14537e00, 0x43115831, 0x80d28544}},
      {CURAND_RNG_PSEUDO_MTGP32, {0x1583a42b, 0x4794680a, 0x89ebce6b, 0x843665a6}},
      {CURAND_RNG_PSEUDO_PHILOX4_32_10, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {CURAND_RNG_QUASI_SOBOL32, {0, 0x80000000, 0xc0000000, 0x40000000}}};
  for (const auto &[type, numbers] : known)
    for (bool host : {false, true})
      compare(generate<unsigned>(Generator(type, host), {numbers.size()}, curandGenerate),
              numbers);
}

/// Seeds, offsets and streams: a setting that changes begins the sequence anew.
static void checkSettings() {
  Generator generator(CURAND_RNG_PSEUDO_DEFAULT, false);
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  RAND(curandSetStream(generator, stream));
  RAND(curandGenerateSeeds(generator));
  check::Array<unsigned> out(30);
  RAND(curandGenerate(generator, out, 10));
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 0));
  RAND(curandGenerate(generator, out + 10, 10));
  RAND(curandSetGeneratorOffset(generator, 5));
  RAND(curandGenerate(generator, out + 20, 10));
  CUDA(cudaStreamSynchronize(stream));
  out.get();
  for (int i = 0; i < 10; ++i) {
    CHECK_AT(i, out.host[10 + i], out.host[i]);
    if (i < 5)
      CHECK_AT(i, out.host[20 + i], out.host[5 + i]);
  }
  RAND(curandSetStream(generator, nullptr));
  CUDA(cudaStreamDestroy(stream));
}

int main() {
  checkRule<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_XORWOW, CURAND_ORDERING_PSEUDO_DEFAULT,
                                 {1234, 4096, 1, 0}, 0);
  checkRule<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_XORWOW, CURAND_ORDERING_PSEUDO_SEEDED,
                                 {99, 4096, 1, 3133713}, 7);
  checkRule<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A,
                                   CURAND_ORDERING_PSEUDO_BEST, {77, 81920, 1, 0}, 3);
  checkRule<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A,
                                   CURAND_ORDERING_PSEUDO_LEGACY,
                                   {0x123456789abc, 4096, 1, 0}, 4097);
  checkRule<curandStatePhilox4_32_10_t>(CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                        CURAND_ORDERING_PSEUDO_DEFAULT,
                                        {0xfedcba9876543210, 65536, 4, 0}, 262139);
  checkNormal();
  checkKnown();
  checkSettings();
  return check::finish("sequences");
}
