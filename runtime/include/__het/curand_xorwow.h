// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XORWOW: an xorshift generator of 160 bits and a counter. A jump of n steps is the
// polynomial x^n modulo the generator's own one, applied to the state.
//
// G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003; H.
// Haramoto et al., "Efficient Jump Ahead for F2-Linear Random Number Generators", INFORMS
// Journal on Computing 20 (3), 2008.

#ifndef HET_CURAND_XORWOW_H
#define HET_CURAND_XORWOW_H

#include "../curand_globals.h"

struct curandStateXORWOW;
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

/// x^(2^k) for k from 0 to 63, then from 67 to 130; the lowest coefficients first.
QUALIFIERS const unsigned int *__het_xorwow_power(int number) {
  static constexpr unsigned int powers[128][5] = {
#include "curand_xorwow_powers.def"
  };
  return powers[number];
}

QUALIFIERS void __het_xorwow_step(unsigned int (&v)[5]) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

/// Goes on by n steps, or n times 2^67 where `first` is 64.
QUALIFIERS void __het_xorwow_jump(unsigned int (&v)[5], unsigned long long n, int first) {
  for (int k = first; n != 0; ++k, n >>= 1) {
    if ((n & 1) == 0)
      continue;
    const unsigned int *power = __het_xorwow_power(k);
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; ++word)
      for (unsigned int bits = power[word], i = 0; i < 32; ++i, bits >>= 1) {
        const unsigned int mask = 0u - (bits & 1);
        for (int j = 0; j < 5; ++j)
          sum[j] ^= v[j] & mask;
        __het_xorwow_step(v);
      }
    for (int j = 0; j < 5; ++j)
      v[j] = sum[j];
  }
}

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  __het_xorwow_jump(state->v, n, 0);
  state->d += 362437 * (unsigned int)n;
}

/// A sequence has 2^67 numbers, after which the counter is what it was.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  __het_xorwow_jump(state->v, n, 64);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t *state) {
  const unsigned int a = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  const unsigned int b = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + b + a;
  state->v[0] = 123456789u + a;
  state->v[1] = 362436069u ^ a;
  state->v[2] = 521288629u + b;
  state->v[3] = 88675123u ^ b;
  state->v[4] = 5783321u + a;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

QUALIFIERS unsigned int curand(curandStateXORWOW_t *state) {
  __het_xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}

#endif // HET_CURAND_XORWOW_H
