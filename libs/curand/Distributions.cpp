// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables for programs: of discrete distributions, and of Sobol sequences.

#include "Library.h"
#include "common/Aside.h"

#include <cmath>
#include <cstring>
#include <curand_discrete.h>
#include <new>

using namespace het;
using namespace het::rand;

namespace {

double poissonMass(double lambda, unsigned k) {
  return std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1.0));
}

/// Of each number from `shift` on whose probability is not 0 in double precision.
std::vector<double> poissonMasses(double lambda, unsigned &shift) {
  while (poissonMass(lambda, shift) == 0)
    ++shift;
  std::vector<double> masses;
  for (unsigned k = shift; k <= lambda || poissonMass(lambda, k) > 0; ++k)
    masses.push_back(poissonMass(lambda, k));
  return masses;
}

} // namespace

PoissonTable het::rand::poissonSums(double lambda) {
  PoissonTable table;
  double sum = 0;
  for (double mass : poissonMasses(lambda, table.shift))
    table.thresholds.push_back(sum += mass);
  return table;
}

// Places go round and take what they lack from the last number that has more than its
// share.
PoissonTable het::rand::poissonTable(double lambda) {
  PoissonTable table;
  std::vector<double> masses = poissonMasses(lambda, table.shift);
  const unsigned length = static_cast<unsigned>(masses.size());
  const double share = 1.0 / length;
  for (unsigned i = 0; i < length; ++i) {
    table.thresholds.push_back((i + 1) * share);
    table.aliases.push_back(i);
  }
  std::vector<bool> full(length);
  unsigned giver = length - 1;
  for (unsigned taker = 0, idle = 0; idle < length;
       taker = (taker + 1) % length, ++idle) {
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

// One piece of the device's memory: what it says, thresholds, aliases.
curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t *made) {
  if (!made || !(lambda > 0) || !std::isfinite(lambda))
    return CURAND_STATUS_OUT_OF_RANGE;
  try {
    PoissonTable table;
    if (lambda <= mostPoissonTable)
      table = poissonTable(lambda);
    const size_t length = table.aliases.size();
    const size_t thresholds = sizeof(curandDiscreteDistribution_st),
                 aliases = thresholds + length * sizeof(double),
                 size = aliases + length * sizeof(unsigned);
    char *place = nullptr;
    const libs::RelaxedCapture relaxed;
    cudaError_t error = cudaMalloc(reinterpret_cast<void **>(&place), size);
    if (error != cudaSuccess)
      return convert(error);
    const curandDiscreteDistribution_st distribution = {
        reinterpret_cast<const double *>(place + thresholds),
        reinterpret_cast<const unsigned *>(place + aliases),
        static_cast<unsigned>(length),
        table.shift,
        lambda,
        std::sqrt(lambda)};
    std::vector<char> bytes(size);
    std::memcpy(bytes.data(), &distribution, sizeof(distribution));
    if (length) {
      std::memcpy(bytes.data() + thresholds, table.thresholds.data(),
                  aliases - thresholds);
      std::memcpy(bytes.data() + aliases, table.aliases.data(), size - aliases);
    }
    error = libs::copyAside(place, bytes.data(), size);
    if (error != cudaSuccess) {
      (void)cudaFree(place);
      return convert(error);
    }
    *made = reinterpret_cast<curandDiscreteDistribution_t>(place);
    return CURAND_STATUS_SUCCESS;
  } catch (const std::bad_alloc &) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (!distribution)
    return CURAND_STATUS_NOT_INITIALIZED;
  const libs::RelaxedCapture relaxed;
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
