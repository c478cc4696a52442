// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcurand
//
// Sobol sequences by the host interface are those of kernels with its direction vectors;
// Poisson distributions; what calls with wrong arguments return.

#include "Inputs/rand.h"
#include <cmath>
#include <curand_kernel.h>

using namespace rnd;

constexpr unsigned each = 70, dimensions = 3, offset = 13;

template <class State, class Word, class Vectors>
__global__ void sobol(const Vectors *vectors, const Word *constants, Word *out) {
  const unsigned dimension = threadIdx.x;
  Word own[8 * sizeof(Word)];
  for (unsigned k = 0; k < 8 * sizeof(Word); ++k)
    own[k] = vectors[dimension][k];
  State state;
  if constexpr (std::is_same<State, curandStateScrambledSobol32_t>::value ||
                std::is_same<State, curandStateScrambledSobol64_t>::value)
    curand_init(own, constants[dimension], Word(offset), &state);
  else
    curand_init(own, Word(offset), &state);
  for (unsigned i = 0; i < each; ++i)
    out[dimension * each + i] = curand(&state);
}

template <class State, class Word, class Vectors, class Call>
void checkSobol(curandRngType_t type, Vectors *vectors, Word *constants,
                const Call &call) {
  check::Array<Word> expected(each * dimensions), scramble(dimensions),
      table(dimensions * 8 * sizeof(Word));
  memcpy(table.host.data(), vectors, table.size() * sizeof(Word));
  memcpy(scramble.host.data(), constants, dimensions * sizeof(Word));
  table.put();
  scramble.put();
  sobol<State><<<1, dimensions>>>(
      reinterpret_cast<const Vectors *>(static_cast<Word *>(table)),
      static_cast<const Word *>(scramble), static_cast<Word *>(expected));
  expected.get();
  for (bool host : {false, true}) {
    Generator generator(type, host);
    RAND(curandSetQuasiRandomGeneratorDimensions(generator, dimensions));
    RAND(curandSetGeneratorOffset(generator, offset));
    RAND_ERROR(call(generator, nullptr, each * dimensions - 1),
               CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    compare(generate<Word>(generator, {each * dimensions}, call), expected.host);
  }
}

static void checkTables() {
  curandDirectionVectors32_t *plain, *scrambled;
  curandDirectionVectors64_t *plain64, *scrambled64;
  unsigned *constants;
  unsigned long long *constants64;
  RAND(curandGetDirectionVectors32(&plain, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  RAND(curandGetDirectionVectors32(&scrambled,
                                   CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
  RAND(curandGetDirectionVectors64(&plain64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  RAND(curandGetDirectionVectors64(&scrambled64,
                                   CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
  RAND(curandGetScrambleConstants32(&constants));
  RAND(curandGetScrambleConstants64(&constants64));
  RAND_ERROR(curandGetDirectionVectors32(&plain, CURAND_DIRECTION_VECTORS_64_JOEKUO6),
             CURAND_STATUS_OUT_OF_RANGE);
  // Joe and Kuo's dimension 4: 1, 3, 1 by x^3 + x + 1.
  const unsigned known[] = {0x80000000, 0xc0000000, 0x20000000, 0x50000000};
  for (int k = 0; k < 4; ++k)
    CHECK_AT(k, plain[3][k], known[k]);
  // A vector's last bit that is set is its own, in all dimensions.
  for (int dimension = 0; dimension < 20000; ++dimension)
    for (int k = 0; k < 32; ++k)
      CHECK_AT(dimension, plain[dimension][k] & -plain[dimension][k], 0x80000000u >> k);
  checkSobol<curandStateSobol32_t>(CURAND_RNG_QUASI_SOBOL32, plain, constants,
                                   curandGenerate);
  checkSobol<curandStateScrambledSobol32_t>(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, scrambled,
                                            constants, curandGenerate);
  checkSobol<curandStateSobol64_t>(CURAND_RNG_QUASI_SOBOL64, plain64, constants64,
                                   curandGenerateLongLong);
  checkSobol<curandStateScrambledSobol64_t>(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64,
                                            scrambled64, constants64,
                                            curandGenerateLongLong);
}

__global__ void discrete(curandDiscreteDistribution_t distribution, unsigned *out) {
  curandStateXORWOW_t state;
  curand_init(3, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_discrete(&state, distribution);
}

static void checkPoisson() {
  for (double lambda : {0.5, 30.0, 700.0, 2500.0}) {
    curandDiscreteDistribution_t distribution;
    RAND(curandCreatePoissonDistribution(lambda, &distribution));
    check::Array<unsigned> out(128);
    discrete<<<1, 128>>>(distribution, out);
    Generator generator(CURAND_RNG_PSEUDO_XORWOW, false);
    RAND(curandSetPseudoRandomGeneratorSeed(generator, 3));
    const std::vector<unsigned> found = generate<unsigned>(
        generator, {128, 872}, [&](curandGenerator_t own, unsigned *place, size_t n) {
          return curandGeneratePoisson(own, place, n, lambda);
        });
    out.get();
    double sum = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      sum += found[i];
      if (i < 128)
        CHECK_AT(static_cast<long long>(i), found[i], out.host[i]);
    }
    CHECK_TRUE(std::abs(sum / found.size() - lambda) < 6 * std::sqrt(lambda / 1000));
    RAND(curandDestroyDistribution(distribution));
  }
}

static void checkErrors() {
  curandGenerator_t none = nullptr;
  RAND_ERROR(curandCreateGenerator(&none, curandRngType_t(7)), CURAND_STATUS_TYPE_ERROR);
  RAND_ERROR(curandGenerate(nullptr, nullptr, 1), CURAND_STATUS_NOT_INITIALIZED);
  RAND_ERROR(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  Generator pseudo(CURAND_RNG_PSEUDO_XORWOW, false),
      quasi(CURAND_RNG_QUASI_SOBOL64, true), twister(CURAND_RNG_PSEUDO_MT19937, true);
  check::Array<float> out(8);
  RAND_ERROR(curandGenerateNormal(pseudo, out, 3, 0, 1),
             CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  RAND_ERROR(curandGenerateUniform(pseudo, nullptr, 3), CURAND_STATUS_OUT_OF_RANGE);
  RAND_ERROR(curandGenerateLongLong(pseudo, nullptr, 2), CURAND_STATUS_TYPE_ERROR);
  RAND_ERROR(curandGenerate(quasi, nullptr, 2), CURAND_STATUS_TYPE_ERROR);
  RAND_ERROR(curandGeneratePoisson(pseudo, (unsigned *)(float *)out, 2, -1),
             CURAND_STATUS_OUT_OF_RANGE);
  RAND_ERROR(curandSetPseudoRandomGeneratorSeed(quasi, 1), CURAND_STATUS_TYPE_ERROR);
  RAND_ERROR(curandSetGeneratorOffset(twister, 1), CURAND_STATUS_TYPE_ERROR);
  RAND_ERROR(curandSetQuasiRandomGeneratorDimensions(pseudo, 2),
             CURAND_STATUS_TYPE_ERROR);
  RAND_ERROR(curandSetQuasiRandomGeneratorDimensions(quasi, 20001),
             CURAND_STATUS_OUT_OF_RANGE);
  RAND_ERROR(curandSetGeneratorOrdering(quasi, CURAND_ORDERING_PSEUDO_BEST),
             CURAND_STATUS_OUT_OF_RANGE);
  RAND_ERROR(curandSetGeneratorOrdering(twister, CURAND_ORDERING_PSEUDO_DYNAMIC),
             CURAND_STATUS_OUT_OF_RANGE);
  int major = 0;
  RAND(curandGetProperty(MAJOR_VERSION, &major));
  CHECK_EQ(major, CURAND_VER_MAJOR);
}

int main() {
  checkTables();
  checkPoisson();
  checkErrors();
  return check::finish("tables");
}
