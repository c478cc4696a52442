// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables for programs: of discrete distributions, and of Sobol sequences.

#include "Library.h"

#include <cmath>
#include <new>

using namespace het::rand;

namespace {

double poissonMass(double lambda, unsigned k) {
  return std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1.0));
}

} // namespace

// The table has each number whose probability is not 0 in double precision. Places go
// round and take what they lack from the last number that has more than its share.
PoissonTable het::rand::poissonTable(double lambda) {
  PoissonTable table;
  while (poissonMass(lambda, table.shift) == 0)
    ++table.shift;
  std::vector<double> masses;
  for (unsigned k = table.shift; k <= lambda || poissonMass(lambda, k) > 0; ++k)
    masses.push_back(poissonMass(lambda, k));
  const unsigned length = static_cast<unsigned>(masses.size());
  const double share = 1.0 / length;
  for (unsigned i = 0; i < length; ++i) {
    table.thresholds.push_back((i + 1) * share);
    table.aliases.push_back(i);
  }
  std::vector<bool> full(length);
  unsigned giver = length - 1;
  for (unsigned taker = 0, idle = 0; idle < length; taker = (taker + 1) % length, ++idle) {
    if (full[taker] || masses[taker] >= share)
      continue;
    while (giver > 0 && (full[giver] || masses[giver] <= share))
      --giver;
    table.thresholds[taker] = taker * share + masses[taker];
    table.aliases[taker] = giver;
    masses[giver] -= share - masses[taker];
    full[taker] = true;
    idle = 0;
  }
  return table;
}

curandStatus_t
curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *made) {
  if (!made || !(lambda > 0) || !std::isfinite(lambda))
    return CURAND_STATUS_OUT_OF_RANGE;
  return CURAND_STATUS_INTERNAL_ERROR;
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  return convert(cudaFree(distribution));
}

namespace {
/// Gives a table to a program, which does not change it.
template <class To, class From>
curandStatus_t give(To *to, bool valid, const From &make) {
  if (!to || !valid)
    return CURAND_STATUS_OUT_OF_RANGE;
  try {
    *to = const_cast<To>(make());
  } catch (const std::bad_alloc &) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
  return CURAND_STATUS_SUCCESS;
}
} // namespace

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  const bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
  return give(vectors, scrambled || set == CURAND_DIRECTION_VECTORS_32_JOEKUO6,
              [&] { return directionVectors32(scrambled); });
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  const bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
  return give(vectors, scrambled || set == CURAND_DIRECTION_VECTORS_64_JOEKUO6,
              [&] { return directionVectors64(scrambled); });
}
curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  return give(constants, true, scrambleConstants32);
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  return give(constants, true, scrambleConstants64);
}
