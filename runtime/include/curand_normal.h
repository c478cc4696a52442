// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normally distributed numbers of mean 0 and deviation 1: two at a time by the method of
// Box and Muller, of Sobol sequences one by the inverse of the distribution function.

#ifndef HET_CURAND_NORMAL_H
#define HET_CURAND_NORMAL_H

#include "curand_uniform.h"

#if defined(__CUDACC__)

QUALIFIERS float2 __het_box_muller(float u, float v) {
  float2 result;
  const float s = sqrtf(-2.0f * logf(u));
#if defined(__CUDA_ARCH__)
  __sincosf(v, &result.x, &result.y);
#else
  result.x = sinf(v);
  result.y = cosf(v);
#endif
  result.x *= s;
  result.y *= s;
  return result;
}
/// The angle is in half circles.
QUALIFIERS double2 __het_box_muller_double(double u, double v) {
  double2 result;
  const double s = sqrt(-2.0 * log(u));
#if defined(__CUDA_ARCH__)
  sincospi(v, &result.x, &result.y);
#else
  result.x = sin(v * 3.1415926535897932384626433832795);
  result.y = cos(v * 3.1415926535897932384626433832795);
#endif
  result.x *= s;
  result.y *= s;
  return result;
}

QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y) {
  return __het_box_muller(x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2),
                          y * CURAND_2POW32_INV_2PI + (CURAND_2POW32_INV_2PI / 2));
}
QUALIFIERS double2 _curand_box_muller_double(unsigned int x0, unsigned int x1,
                                             unsigned int y0, unsigned int y1) {
  const unsigned long long zx = (unsigned long long)x0 ^ ((unsigned long long)x1 << 21),
                           zy = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
  return __het_box_muller_double(
      zx * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0),
      zy * (CURAND_2POW53_INV_DOUBLE * 2.0) + CURAND_2POW53_INV_DOUBLE);
}

QUALIFIERS float _curand_normal_icdf(unsigned int x) {
  float s = CURAND_SQRT2;
  if (x > 0x80000000u) { // its mirror's digits are not lost
    x = 0xffffffffu - x;
    s = -s;
  }
  return s * erfcinvf(2.0f * (x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f)));
}
QUALIFIERS float _curand_normal_icdf(unsigned long long x) {
  return _curand_normal_icdf((unsigned int)(x >> 32));
}
QUALIFIERS double _curand_normal_icdf_double(unsigned int x) {
  double s = CURAND_SQRT2_DOUBLE;
  if (x > 0x80000000u) {
    x = 0xffffffffu - x;
    s = -s;
  }
  return s *
         erfcinv(2.0 * (x * CURAND_2POW32_INV_DOUBLE + (CURAND_2POW32_INV_DOUBLE / 2.0)));
}
QUALIFIERS double _curand_normal_icdf_double(unsigned long long x) {
  double s = CURAND_SQRT2_DOUBLE;
  x >>= 11;
  if (x > 0x10000000000000ull) {
    x = 0x1fffffffffffffull - x;
    s = -s;
  }
  return s *
         erfcinv(2.0 * (x * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0)));
}

//===----------------------------------------------------------------------===//
// Two at a time
//===----------------------------------------------------------------------===//

template <class State> QUALIFIERS float2 curand_normal2(State *state) {
  const unsigned int x = curand(state), y = curand(state);
  return _curand_box_muller(x, y);
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *state) {
  const float x = curand_uniform(state), y = curand_uniform(state) * CURAND_2PI;
  return __het_box_muller(x, y);
}

template <class State> QUALIFIERS double2 curand_normal2_double(State *state) {
  const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state),
                     y1 = curand(state);
  return _curand_box_muller_double(x0, x1, y0, y1);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  const double x = curand_uniform_double(state), y = curand_uniform_double(state) * 2.0;
  return __het_box_muller_double(x, y);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state);
  return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state);
  const float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}

//===----------------------------------------------------------------------===//
// One by one; the second is kept
//===----------------------------------------------------------------------===//

template <class State> QUALIFIERS float curand_normal(State *state) {
  if (state->boxmuller_flag == EXTRA_FLAG_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 both = curand_normal2(state);
  state->boxmuller_extra = both.y;
  state->boxmuller_flag = EXTRA_FLAG_NORMAL;
  return both.x;
}

template <class State> QUALIFIERS double curand_normal_double(State *state) {
  if (state->boxmuller_flag_double == EXTRA_FLAG_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 both = curand_normal2_double(state);
  state->boxmuller_extra_double = both.y;
  state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;
  return both.x;
}

#define HET_SOBOL(State)                                                                 \
  QUALIFIERS float curand_normal(State *state) {                                         \
    return _curand_normal_icdf(curand(state));                                           \
  }                                                                                      \
  QUALIFIERS double curand_normal_double(State *state) {                                 \
    return _curand_normal_icdf_double(curand(state));                                    \
  }
HET_SOBOL(curandStateSobol32_t)
HET_SOBOL(curandStateScrambledSobol32_t)
HET_SOBOL(curandStateSobol64_t)
HET_SOBOL(curandStateScrambledSobol64_t)
#undef HET_SOBOL

#endif

#endif // HET_CURAND_NORMAL_H
