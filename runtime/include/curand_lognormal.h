// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers whose logarithms are distributed normally, of the mean and deviation given. One
// by one the second is kept, as it was asked for with the first.

#ifndef HET_CURAND_LOGNORMAL_H
#define HET_CURAND_LOGNORMAL_H

#include "curand_normal.h"

#if defined(__CUDACC__)

template <class State>
QUALIFIERS float curand_log_normal(State *state, float mean, float stddev) {
  if (state->boxmuller_flag == EXTRA_FLAG_LOG_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 both = curand_normal2(state);
  state->boxmuller_extra = expf(mean + (stddev * both.y));
  state->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;
  return expf(mean + (stddev * both.x));
}
template <class State>
QUALIFIERS double curand_log_normal_double(State *state, double mean, double stddev) {
  if (state->boxmuller_flag_double == EXTRA_FLAG_LOG_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 both = curand_normal2_double(state);
  state->boxmuller_extra_double = exp(mean + (stddev * both.y));
  state->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;
  return exp(mean + (stddev * both.x));
}

#define HET_SOBOL(State)                                                                 \
  QUALIFIERS float curand_log_normal(State *state, float mean, float stddev) {           \
    return expf(mean + (stddev * curand_normal(state)));                                 \
  }                                                                                      \
  QUALIFIERS double curand_log_normal_double(State *state, double mean, double stddev) { \
    return exp(mean + (stddev * curand_normal_double(state)));                           \
  }
HET_SOBOL(curandStateSobol32_t)
HET_SOBOL(curandStateScrambledSobol32_t)
HET_SOBOL(curandStateSobol64_t)
HET_SOBOL(curandStateScrambledSobol64_t)
#undef HET_SOBOL

template <class State>
QUALIFIERS float2 curand_log_normal2(State *state, float mean, float stddev) {
  const float2 x = curand_normal2(state);
  return {expf(mean + (stddev * x.x)), expf(mean + (stddev * x.y))};
}
template <class State>
QUALIFIERS double2 curand_log_normal2_double(State *state, double mean, double stddev) {
  const double2 x = curand_normal2_double(state);
  return {exp(mean + (stddev * x.x)), exp(mean + (stddev * x.y))};
}
QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                     float stddev) {
  const float4 x = curand_normal4(state);
  return {expf(mean + (stddev * x.x)), expf(mean + (stddev * x.y)),
          expf(mean + (stddev * x.z)), expf(mean + (stddev * x.w))};
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state,
                                             double mean, double stddev) {
  const double2 a = curand_log_normal2_double(state, mean, stddev),
                b = curand_log_normal2_double(state, mean, stddev);
  return {a.x, a.y, b.x, b.y};
}

#endif

#endif // HET_CURAND_LOGNORMAL_H
