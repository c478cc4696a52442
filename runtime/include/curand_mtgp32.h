// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32's types, and its step. A block of up to 256 threads shares a state; each of 200
// sets of parameters has a sequence of its own.
//
// M. Saito, M. Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors",
// ACM Transactions on Mathematical Software 39 (2), 2013.
// cuRAND documentation: Bit Generation with the MTGP32 generator.

#ifndef HET_CURAND_MTGP32_H
#define HET_CURAND_MTGP32_H
#define CURAND_MTGP32_H

#include "curand_globals.h"

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351
#define MTGPDC_FLOOR_2P 256
#define MTGPDC_CEIL_2P 512
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define CURAND_NUM_MTGP32_PARAMS 200
#define MEXP 11213
#define THREAD_NUM MTGPDC_FLOOR_2P
#define LARGE_SIZE (THREAD_NUM * 3)
#define TBL_SIZE 16

/* A set of parameters, as the generator's authors have it. */
struct mtgp32_params_fast {
  int mexp;
  int pos;
  int sh1, sh2;
  unsigned int tbl[TBL_SIZE];
  unsigned int tmp_tbl[TBL_SIZE];
  unsigned int flt_tmp_tbl[TBL_SIZE];
  unsigned int mask;
  unsigned char poly_sha1[21];
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

/* All sets, as kernels read them. */
struct mtgp32_kernel_params {
  unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

struct curandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE]; /* a ring, of which MTGPDC_N words count */
  int offset;                        /* where in it they begin */
  int pIdx;                          /* the set of parameters */
  mtgp32_kernel_params_t *k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

#if defined(__cplusplus)

/// A set of parameters without what follows from them: tables for four bits are linear.
struct __het_mtgp_parameters {
  unsigned int pos, sh1, sh2;
  unsigned int table[4], tempering[4];
  char sha1[41];
};

#define HET_MTGP_SETS                                                                    \
  static constexpr __het_mtgp_parameters sets[CURAND_NUM_MTGP32_PARAMS] = {

QUALIFIERS const __het_mtgp_parameters &__het_mtgp_parameters_of(int number) {
  HET_MTGP_SETS
#include "__het/curand_mtgp32_parameters.def"
};
return sets[number];
}
/// The same for host code.
inline const __het_mtgp_parameters *__het_mtgp_parameter_sets() {
  HET_MTGP_SETS
#include "__het/curand_mtgp32_parameters.def"
};
return sets;
}
#undef HET_MTGP_SETS

constexpr unsigned int __het_mtgp_mask = 0xfff80000u;

QUALIFIERS unsigned int __het_mtgp_combine(const unsigned int (&table)[4],
                                           unsigned int bits) {
  return (bits & 1 ? table[0] : 0) ^ (bits & 2 ? table[1] : 0) ^
         (bits & 4 ? table[2] : 0) ^ (bits & 8 ? table[3] : 0);
}

/// The word behind a state of words 0, 1, ..., of which `far` is the one at `pos`.
QUALIFIERS unsigned int __het_mtgp_next(const __het_mtgp_parameters &set,
                                        unsigned int word0, unsigned int word1,
                                        unsigned int far) {
  unsigned int x = (word0 & __het_mtgp_mask) ^ word1;
  x ^= x << set.sh1;
  const unsigned int y = x ^ (far >> set.sh2);
  return y ^ __het_mtgp_combine(set.table, y);
}

/// The result for a new word; `before` is the word ahead of `far`.
QUALIFIERS unsigned int __het_mtgp_temper(const __het_mtgp_parameters &set,
                                          unsigned int word, unsigned int before) {
  before ^= before >> 16;
  before ^= before >> 8;
  return word ^ __het_mtgp_combine(set.tempering, before);
}

/// Makes a state of MTGPDC_N words, for tables whose values for 4 and 8 are these.
inline void __het_mtgp_seed_words(unsigned int *state, unsigned int table4,
                                  unsigned int table8, unsigned int seed) {
  const unsigned int hidden = table4 ^ (table8 << 16);
  unsigned int fill = hidden;
  fill += fill >> 16;
  fill += fill >> 8;
  for (int i = 0; i < MTGPDC_N; ++i)
    state[i] = (fill & 0xff) * 0x01010101u;
  state[0] = seed;
  state[1] = hidden;
  for (int i = 1; i < MTGPDC_N; ++i)
    state[i] ^= 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
}

#endif

#endif // HET_CURAND_MTGP32_H
