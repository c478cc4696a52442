// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a discrete distribution, by a table that the host library has put into the
// device's memory (curandCreatePoissonDistribution).
//
// cuRAND documentation: 3.4, Device API for discrete distributions. G. Marsaglia, W. W.
// Tsang, J. Wang, "Fast Generation of Discrete Random Variables", Journal of Statistical
// Software 11 (3), 2004.

#ifndef HET_CURAND_DISCRETE_H
#define HET_CURAND_DISCRETE_H

#include "curand_normal.h"

/* Number floor(u * length) is the result if u is below its threshold, else its alias is.
 * Without a table (length 0) it is what lies next to a normal number. */
struct curandDiscreteDistribution_st {
  const double *thresholds;
  const unsigned int *aliases;
  unsigned int length, shift;
  double mean, deviation;
};
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

#if defined(__CUDACC__)

QUALIFIERS unsigned int
__het_discrete_place(double u, const curandDiscreteDistribution_st &distribution) {
  unsigned int place = (unsigned int)(u * distribution.length);
  if (place >= distribution.length)
    place = distribution.length - 1;
  return distribution.shift +
         (u < distribution.thresholds[place] ? place : distribution.aliases[place]);
}

QUALIFIERS unsigned int
__het_discrete_normal(double x, const curandDiscreteDistribution_st &distribution) {
  const double y = x * distribution.deviation + distribution.mean;
  return y < -0.5 ? 0 : (unsigned int)(y + 0.5);
}

/// u of one number of a generator.
template <class State> QUALIFIERS double __het_discrete_uniform(State *state) {
  return _curand_uniform_double(curand(state));
}
QUALIFIERS double __het_discrete_uniform(curandStateMRG32k3a_t *state) {
  return curand_uniform_double(state);
}

template <class State>
QUALIFIERS unsigned int curand_discrete(State *state,
                                        curandDiscreteDistribution_t distribution) {
  return distribution->length
             ? __het_discrete_place(__het_discrete_uniform(state), *distribution)
             : __het_discrete_normal(curand_normal(state), *distribution);
}

QUALIFIERS uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                                  curandDiscreteDistribution_t distribution) {
  if (distribution->length == 0) {
    const float4 x = curand_normal4(state);
    return {__het_discrete_normal(x.x, *distribution),
            __het_discrete_normal(x.y, *distribution),
            __het_discrete_normal(x.z, *distribution),
            __het_discrete_normal(x.w, *distribution)};
  }
  const uint4 x = curand4(state);
  return {__het_discrete_place(_curand_uniform_double(x.x), *distribution),
          __het_discrete_place(_curand_uniform_double(x.y), *distribution),
          __het_discrete_place(_curand_uniform_double(x.z), *distribution),
          __het_discrete_place(_curand_uniform_double(x.w), *distribution)};
}

#endif

#endif // HET_CURAND_DISCRETE_H
