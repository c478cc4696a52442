// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables for programs: of discrete distributions, and of Sobol sequences.

#include "Library.h"

#include <cmath>
#include <new>

using namespace het::rand;

namespace {

/// A table's length, and the number that its first place stands for.
struct Range {
  unsigned length, shift;
};
Range rangeOf(double lambda) {
  const double width = 16 * std::sqrt(lambda + 10);
  const double begin = std::floor(lambda - width / 2);
  return {static_cast<unsigned>(2 * std::ceil(width)),
          begin > 0 ? static_cast<unsigned>(begin) : 0};
}

} // namespace

// Places with less than their share get the rest from those with more, the last first.
PoissonTable het::rand::poissonTable(double lambda) {
  const Range range = rangeOf(lambda);
  PoissonTable table;
  table.shift = range.shift;
  const double share = 1.0 / range.length;
  std::vector<double> masses(range.length);
  for (unsigned i = 0; i < range.length; ++i) {
    const double k = range.shift + i;
    masses[i] = std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
    table.thresholds.push_back((i + 1) * share);
    table.aliases.push_back(i);
  }
  unsigned giver = range.length;
  unsigned left = range.length;
  std::vector<bool> full(range.length);
  for (unsigned taker = 0; left > 0; taker = (taker + 1) % range.length) {
    if (full[taker] || masses[taker] >= share) {
      --left; // counts those in a row that take nothing
      continue;
    }
    while (giver > 0 && masses[giver - 1] <= share)
      --giver;
    if (giver == 0)
      break;
    table.thresholds[taker] = taker * share + masses[taker];
    table.aliases[taker] = giver - 1;
    masses[giver - 1] -= share - masses[taker];
    full[taker] = true;
    left = range.length;
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
