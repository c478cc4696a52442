// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson-distributed numbers: by products of uniform ones where they are few (D. Knuth),
// by normal ones where they are many, and by rejection between, whose sequence is ours.
//
// W. Hörmann, "The Transformed Rejection Method for Generating Poisson Random Variables",
// Insurance: Mathematics and Economics 12 (1), 1993.

#ifndef HET_CURAND_POISSON_H
#define HET_CURAND_POISSON_H

#include "curand_normal.h"

#if defined(__CUDACC__)

template <class State>
QUALIFIERS unsigned int __het_poisson_by_products(State *state, float lambda) {
  unsigned int k = 0;
  float product = expf(lambda);
  do {
    ++k;
    product *= curand_uniform(state);
  } while (product > 1.0f);
  return k - 1;
}

template <class State>
QUALIFIERS unsigned int __het_poisson_by_rejection(State *state, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double alpha = 1.1239 + 1.1328 / (b - 3.4), r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    const double us = 0.5 - fabs(u), k = floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= r)
      return (unsigned int)k;
    if (k < 0 || (us < 0.013 && v > us))
      continue;
    if (log(v * alpha / (a / (us * us) + b)) <= k * log(lambda) - lambda - lgamma(k + 1))
      return (unsigned int)k;
  }
}

template <class State>
QUALIFIERS unsigned int curand_poisson(State *state, double lambda) {
  if (lambda < 64)
    return __het_poisson_by_products(state, (float)lambda);
  if (lambda > 4000)
    return (unsigned int)((sqrt(lambda) * curand_normal_double(state)) + lambda + 0.5);
  return __het_poisson_by_rejection(state, lambda);
}

QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  uint4 result;
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}

#endif

#endif // HET_CURAND_POISSON_H
