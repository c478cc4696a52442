// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol sequences of 32 and 64 bits, plain and scrambled, in the order of Gray's code.
//
// I. A. Antonov and V. M. Saleev, "An Economic Method of Computing LPτ-Sequences", USSR
// Computational Mathematics and Mathematical Physics 19 (1), 1979.

#ifndef HET_CURAND_SOBOL_H
#define HET_CURAND_SOBOL_H

#include "../curand_globals.h"

// All have the index, what it gives, and what scrambles it.
struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

template <class State, class Word>
QUALIFIERS void __het_sobol_skip(Word n, State *state) {
  state->i += n;
  state->x = state->c;
  int k = 0;
  for (Word gray = state->i ^ (state->i >> 1); gray != 0; gray >>= 1, ++k)
    if (gray & 1)
      state->x ^= state->direction_vectors[k];
}

template <class State, class Word>
QUALIFIERS void __het_sobol_init(const Word *vectors, Word scramble, Word offset,
                                 State *state) {
  state->i = 0;
  state->c = scramble;
  for (int k = 0; k < (int)(8 * sizeof(Word)); ++k)
    state->direction_vectors[k] = vectors[k];
  __het_sobol_skip(offset, state);
}

template <class State>
QUALIFIERS auto __het_sobol_next(State *state) -> decltype(state->x) {
  const auto result = state->x;
  int k = 0; // the lowest bit that is 0; behind the last one the sequence ends
  for (auto i = state->i; i & 1; i >>= 1)
    ++k;
  if (k < (int)(8 * sizeof(state->x)))
    state->x ^= state->direction_vectors[k];
  ++state->i;
  return result;
}

#define HET_SOBOL(State, Word)                                                           \
  QUALIFIERS void skipahead(Word n, State *state) { __het_sobol_skip(n, state); }        \
  QUALIFIERS Word curand(State *state) { return __het_sobol_next(state); }
HET_SOBOL(curandStateSobol32_t, unsigned int)
HET_SOBOL(curandStateScrambledSobol32_t, unsigned int)
HET_SOBOL(curandStateSobol64_t, unsigned long long)
HET_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef HET_SOBOL

QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors,
                            unsigned int offset, curandStateSobol32_t *state) {
  __het_sobol_init(direction_vectors, 0u, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors,
                            unsigned int scramble_c, unsigned int offset,
                            curandStateScrambledSobol32_t *state) {
  __het_sobol_init(direction_vectors, scramble_c, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors,
                            unsigned long long offset, curandStateSobol64_t *state) {
  __het_sobol_init(direction_vectors, 0ull, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors,
                            unsigned long long scramble_c, unsigned long long offset,
                            curandStateScrambledSobol64_t *state) {
  __het_sobol_init(direction_vectors, scramble_c, offset, state);
}

#endif // HET_CURAND_SOBOL_H
