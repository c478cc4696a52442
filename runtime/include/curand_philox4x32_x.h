// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox 4x32 with 10 rounds: a counter of 128 bits, scrambled by a key of 64.
//
// J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.

#ifndef HET_CURAND_PHILOX4X32_X_H
#define HET_CURAND_PHILOX4X32_X_H
#define CURAND_PHILOX4X32_X__H_

#include "curand_globals.h"

#if defined(__cplusplus)

#define PHILOX_W32_0 (0x9E3779B9)
#define PHILOX_W32_1 (0xBB67AE85)
#define PHILOX_M4x32_0 (0xD2511F53)
#define PHILOX_M4x32_1 (0xCD9E8D57)

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output; ///< What the counter gives.
  uint2 key;
  unsigned int STATE; ///< Which of it comes next.
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

QUALIFIERS unsigned int mulhilo32(unsigned int a, unsigned int b, unsigned int *high) {
  const unsigned long long product = (unsigned long long)a * b;
  *high = (unsigned int)(product >> 32);
  return (unsigned int)product;
}

QUALIFIERS uint4 _philox4x32round(uint4 ctr, uint2 key) {
  unsigned int high0, high1;
  const unsigned int low0 = mulhilo32(PHILOX_M4x32_0, ctr.x, &high0);
  const unsigned int low1 = mulhilo32(PHILOX_M4x32_1, ctr.z, &high1);
  return {high1 ^ ctr.y ^ key.x, low1, high0 ^ ctr.w ^ key.y, low0};
}

QUALIFIERS uint4 curand_Philox4x32_10(uint4 ctr, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    ctr = _philox4x32round(ctr, key);
    key.x += PHILOX_W32_0;
    key.y += PHILOX_W32_1;
  }
  return ctr;
}

/// Adds 2^64 n to the counter.
QUALIFIERS void Philox_State_Incr_hi(curandStatePhilox4_32_10_t *state,
                                     unsigned long long n) {
  const unsigned long long sum =
      (state->ctr.z | ((unsigned long long)state->ctr.w << 32)) + n;
  state->ctr.z = (unsigned int)sum;
  state->ctr.w = (unsigned int)(sum >> 32);
}

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *state,
                                  unsigned long long n) {
  const unsigned long long sum =
      (state->ctr.x | ((unsigned long long)state->ctr.y << 32)) + n;
  state->ctr.x = (unsigned int)sum;
  state->ctr.y = (unsigned int)(sum >> 32);
  if (sum < n)
    Philox_State_Incr_hi(state, 1);
}

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *state) {
  Philox_State_Incr(state, 1);
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  state->STATE += (unsigned int)(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  Philox_State_Incr(state, n);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

/// A sequence has 2^66 numbers, four for each value of the counter's lower half.
QUALIFIERS void skipahead_sequence(unsigned long long n,
                                   curandStatePhilox4_32_10_t *state) {
  Philox_State_Incr_hi(state, n);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset,
                            curandStatePhilox4_32_10_t *state) {
  state->ctr = {0, 0, 0, 0};
  state->key = {(unsigned int)seed, (unsigned int)(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state) {
  const uint4 all = state->output;
  const unsigned int result = state->STATE == 0   ? all.x
                              : state->STATE == 1 ? all.y
                              : state->STATE == 2 ? all.z
                                                  : all.w;
  if (++state->STATE == 4) {
    Philox_State_Incr(state);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}

/// The next four.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state) {
  const uint4 old = state->output;
  Philox_State_Incr(state);
  const uint4 next = state->output = curand_Philox4x32_10(state->ctr, state->key);
  switch (state->STATE) {
  case 1:
    return {old.y, old.z, old.w, next.x};
  case 2:
    return {old.z, old.w, next.x, next.y};
  case 3:
    return {old.w, next.x, next.y, next.z};
  default:
    return old;
  }
}

#endif

#endif // HET_CURAND_PHILOX4X32_X_H
