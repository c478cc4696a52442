// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MRG32k3a: two linear recurrences of three numbers each, modulo primes near 2^32. A jump
// of n steps is the n-th power of their matrices.
//
// P. L'Ecuyer et al., "An Object-Oriented Random-Number Package with Many Long Streams
// and Substreams", Operations Research 50 (6), 2002.

#ifndef HET_CURAND_MRG32K3A_H
#define HET_CURAND_MRG32K3A_H

#include "curand_globals.h"

#if defined(__cplusplus)

#define MRG32K3A_MOD1 4294967087.
#define MRG32K3A_MOD2 4294944443.
#define MRG32K3A_NORM 2.3283065498378288e-10
#define MRG32K3A_BITS_NORM 1.000000048662

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

constexpr unsigned long long __het_mrg_modulus1 = 4294967087ull;
constexpr unsigned long long __het_mrg_modulus2 = 4294944443ull;

struct __het_mrg_matrix {
  unsigned int at[3][3];
};

/// The matrices of one step, of 2^76 and of 2^127, for both recurrences.
QUALIFIERS __het_mrg_matrix __het_mrg_power(int recurrence, int power) {
  static constexpr __het_mrg_matrix powers[2][3] = {
      {{{{0, 1, 0}, {0, 0, 1}, {4294156359u, 1403580, 0}}},
       {{{82758667, 1871391091, 4127413238u},
         {3672831523u, 69195019, 1871391091},
         {3672091415u, 3528743235u, 69195019}}},
       {{{2427906178u, 3580155704u, 949770784},
         {226153695, 1230515664, 3580155704u},
         {1988835001, 986791581, 1230515664}}}},
      {{{{0, 1, 0}, {0, 0, 1}, {4293573854u, 0, 527612}}},
       {{{1511326704, 3759209742u, 1610795712},
         {4292754251u, 1511326704, 3889917532u},
         {3859662829u, 4292754251u, 3708466080u}}},
       {{{1464411153, 277697599, 1610723613},
         {32183930, 1464411153, 1022607788},
         {2824425944u, 32183930, 2093834863}}}}};
  return powers[recurrence][power];
}

/// a b + c d + e f; each product is less than 2^64, and so is the sum of three
/// remainders.
QUALIFIERS unsigned int __het_mrg_dot(const unsigned int (&a)[3], unsigned int b0,
                                      unsigned int b1, unsigned int b2,
                                      unsigned long long modulus) {
  return (unsigned int)(((unsigned long long)a[0] * b0 % modulus +
                         (unsigned long long)a[1] * b1 % modulus +
                         (unsigned long long)a[2] * b2 % modulus) %
                        modulus);
}

/// Applies a matrix's n-th power.
QUALIFIERS void __het_mrg_jump(unsigned int (&s)[3], __het_mrg_matrix matrix,
                               unsigned long long n, unsigned long long modulus) {
  for (; n != 0; n >>= 1) {
    const auto &m = matrix.at;
    if (n & 1) {
      const unsigned int old[3] = {s[0], s[1], s[2]};
      for (int i = 0; i < 3; ++i)
        s[i] = __het_mrg_dot(m[i], old[0], old[1], old[2], modulus);
    }
    __het_mrg_matrix square;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        square.at[i][j] = __het_mrg_dot(m[i], m[0][j], m[1][j], m[2][j], modulus);
    matrix = square;
  }
}

QUALIFIERS void __het_mrg_jump_both(unsigned long long n, int power,
                                    curandStateMRG32k3a_t *state) {
  __het_mrg_jump(state->s1, __het_mrg_power(0, power), n, __het_mrg_modulus1);
  __het_mrg_jump(state->s2, __het_mrg_power(1, power), n, __het_mrg_modulus2);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  __het_mrg_jump_both(n, 0, state);
}
/// By n times 2^76 numbers.
QUALIFIERS void skipahead_subsequence(unsigned long long n,
                                      curandStateMRG32k3a_t *state) {
  __het_mrg_jump_both(n, 1, state);
}
/// By n times 2^127 numbers.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __het_mrg_jump_both(n, 2, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t *state) {
  unsigned long long even = 1, odd = 1;
  if (seed != 0) {
    even = (unsigned int)seed ^ 0x55555555u;
    odd = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
  }
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = (unsigned int)((i == 1 ? odd : even) * 12345 % __het_mrg_modulus1);
    state->s2[i] = (unsigned int)((i == 1 ? even : odd) * 12345 % __het_mrg_modulus2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

/// From 1 to 4294967087.
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *state) {
  const auto mod = [](unsigned long long plus, unsigned long long minus,
                      unsigned long long modulus) {
    return (unsigned int)((plus % modulus + modulus - minus % modulus) % modulus);
  };
  const unsigned int p1 =
      mod(1403580ull * state->s1[1], 810728ull * state->s1[0], __het_mrg_modulus1);
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = p1;
  const unsigned int p2 =
      mod(527612ull * state->s2[2], 1370589ull * state->s2[0], __het_mrg_modulus2);
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = p2;
  return p1 <= p2 ? (double)p1 - p2 + MRG32K3A_MOD1 : (double)p1 - p2;
}

QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state) {
  return (unsigned int)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

#endif

#endif // HET_CURAND_MRG32K3A_H
