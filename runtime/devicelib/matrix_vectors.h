/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the registers of eight lanes hold, as vectors, and how these are added up: for
 * matrix.c. A register's elements go by units of 32 or 64 bits: a float each, a double,
 * 32 bits of a row of bits, or two integers, whose products are added up together.
 *
 * The pairs of integers are written so that LLVM finds the instructions that multiply 16
 * bits and add neighbours, where a machine has them.
 */
#ifndef HET_DEVICELIB_MATRIX_VECTORS_H
#define HET_DEVICELIB_MATRIX_VECTORS_H

#include "matrix.h"

#define VECTOR(T, count) __attribute__((vector_size(sizeof(T) * (count)))) T
typedef VECTOR(u32, 8) Words;
typedef VECTOR(u64, 8) WordPairs;
typedef VECTOR(u32, 4) Words4;
typedef VECTOR(u64, 4) WordPairs4;
typedef VECTOR(i32, 8) Integers;
typedef VECTOR(i32, 16) Products;
typedef VECTOR(int16_t, 16) Shorts;
typedef VECTOR(u16, 8) HalfBits;
typedef VECTOR(_Float16, 8) Halves;
typedef VECTOR(float, 8) Floats;
typedef VECTOR(double, 8) Doubles;

#define WORDS_f16 Words
#define WORDS_bf16 Words
#define WORDS_tf32 Words
#define WORDS_f8 Words
#define WORDS_f64 WordPairs
#define WORDS_i8 Words
#define WORDS_i4 Words
#define WORDS_b1 Words
#define UNIT_float Floats
#define UNIT_double Doubles
#define UNIT_pairs Words
#define UNIT_bits Words
#define ONE_float float
#define ONE_double double
#define ONE_pairs u32
#define ONE_bits u32
#define SUM_float Floats
#define SUM_double Doubles
#define SUM_pairs Integers
#define SUM_bits Integers
/* Kinds of matrix.h, but for pairs of integers. */
#define UNITS_f16 float
#define UNITS_bf16 float
#define UNITS_tf32 float
#define UNITS_f8 float
#define UNITS_f64 double
#define UNITS_i8 pairs
#define UNITS_i4 pairs
#define UNITS_b1 bits
#define PER_WORD_f16 2
#define PER_WORD_bf16 2
#define PER_WORD_tf32 1
#define PER_WORD_f8 4
#define PER_WORD_f64 1
#define PER_WORD_i8 2
#define PER_WORD_i4 4
#define PER_WORD_b1 1

#define SPLAT(Vector, x) ((Vector){x, x, x, x, x, x, x, x})
/* `mask` is all ones or none in each lane. */
#define CHOOSE(mask, a, b) (((mask) & (a)) | (~(mask) & (b)))

//===----------------------------------------------------------------------===//
// Units: number i of each word
//===----------------------------------------------------------------------===//

HET_INLINE Floats floatsOfHalves(Words words) {
  return __builtin_convertvector((Halves) __builtin_convertvector(words, HalfBits),
                                 Floats);
}
HET_INLINE Floats floatsOfE4m3(Words bytes) {
  Words magnitude = bytes & 0x7Fu, sign = (bytes & 0x80u) << 24;
  Words normal = (magnitude << 20) + (120u << 23);
  Words small = (Words)(__builtin_convertvector((Integers)magnitude, Floats) * 0x1p-9f);
  Words bits = CHOOSE((Words)(magnitude < 8), small, normal);
  return (Floats)(CHOOSE((Words)(magnitude == 0x7Fu), 0x7FC00000u, bits) | sign);
}

HET_INLINE Floats units_f16(Words words, u32 i, u32 other) {
  (void)other;
  return floatsOfHalves(words >> 16 * i & 0xFFFFu);
}
HET_INLINE Floats units_bf16(Words words, u32 i, u32 other) {
  (void)other;
  return (Floats)(i ? words & 0xFFFF0000u : words << 16);
}
HET_INLINE Floats units_tf32(Words words, u32 i, u32 other) {
  (void)i, (void)other;
  return (Floats)(words & 0xFFFFE000u);
}
HET_INLINE Floats units_f8(Words words, u32 i, u32 isE5m2) {
  Words bytes = words >> 8 * i & 0xFFu;
  return isE5m2 ? floatsOfHalves(bytes << 8) : floatsOfE4m3(bytes);
}
HET_INLINE Doubles units_f64(WordPairs words, u32 i, u32 other) {
  (void)i, (void)other;
  return (Doubles)words;
}
/* Integers i and i + half of a word, as 16 bits each. */
HET_INLINE Words shortsOf(Words words, u32 i, u32 bits, u32 isSigned) {
  Shorts shorts = (Shorts)words << (int16_t)(16 - bits - bits * i);
  Shorts extended = shorts >> (int16_t)(16 - bits);
  return isSigned ? (Words)extended : (Words)(extended & (int16_t)((1 << bits) - 1));
}
HET_INLINE Words units_i8(Words words, u32 i, u32 isSigned) {
  return shortsOf(words, i, 8, isSigned);
}
HET_INLINE Words units_i4(Words words, u32 i, u32 isSigned) {
  return shortsOf(words, i, 4, isSigned);
}
HET_INLINE Words units_b1(Words words, u32 i, u32 other) {
  (void)i, (void)other;
  return words;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

HET_INLINE Floats sum_float(Floats a, Floats b, Floats sum, u32 flags) {
  (void)flags;
  return __builtin_elementwise_fma(a, b, sum);
}
HET_INLINE Doubles sum_double(Doubles a, Doubles b, Doubles sum, u32 flags) {
  (void)flags;
  return __builtin_elementwise_fma(a, b, sum);
}
HET_INLINE Integers sum_pairs(Words a, Words b, Integers sum, u32 flags) {
  (void)flags;
  Products products = __builtin_convertvector((Shorts)a, Products) *
                      __builtin_convertvector((Shorts)b, Products);
  return sum + (__builtin_shufflevector(products, products, 0, 2, 4, 6, 8, 10, 12, 14) +
                __builtin_shufflevector(products, products, 1, 3, 5, 7, 9, 11, 13, 15));
}
HET_INLINE Integers sum_bits(Words a, Words b, Integers sum, u32 flags) {
  return sum + (Integers)__builtin_elementwise_popcount(flags & IS_AND ? a & b : a ^ b);
}

/* A row of C or D lies in four lanes, two neighbours in each: in two registers, or as
   halves in one. */
#define WEAVE(low, high) __builtin_shufflevector(low, high, 0, 4, 1, 5, 2, 6, 3, 7)
#define EVEN(row) __builtin_shufflevector(row, row, 0, 2, 4, 6)
#define ODD(row) __builtin_shufflevector(row, row, 1, 3, 5, 7)

#define DEFINE_ACCESS(suffix, Word, Vector)                                              \
  HET_INLINE Vector load##suffix(const Word *from) {                                     \
    Vector words;                                                                        \
    __builtin_memcpy(&words, from, sizeof(words));                                       \
    return words;                                                                        \
  }                                                                                      \
  HET_INLINE void store##suffix(Word *to, Vector words) {                                \
    __builtin_memcpy(to, &words, sizeof(words));                                         \
  }
DEFINE_ACCESS(_4, u32, Words4)
DEFINE_ACCESS(Pairs_4, u64, WordPairs4)
#undef DEFINE_ACCESS

/* The row whose first lane is `c`; its registers are number `e` and the next. */
HET_INLINE Floats beginRow_float(const u32 *c, u64 stride, u32 e, u32 flags) {
  if (!(flags & C_IS_HALF))
    return (Floats)WEAVE(load_4(c + stride * e), load_4(c + stride * (e + 1)));
  Words4 words = load_4(c + stride * (e >> 1));
  return floatsOfHalves(WEAVE(words & 0xFFFFu, words >> 16));
}
HET_INLINE Doubles beginRow_double(const u64 *c, u64 stride, u32 e, u32 flags) {
  (void)flags;
  return (Doubles)WEAVE(loadPairs_4(c + stride * e), loadPairs_4(c + stride * (e + 1)));
}
/* Integers are added up from 0, without overflow; C comes in the end. */
HET_INLINE Integers beginRow_pairs(const u32 *c, u64 stride, u32 e, u32 flags) {
  (void)c, (void)stride, (void)e, (void)flags;
  return SPLAT(Integers, 0);
}
#define beginRow_bits beginRow_pairs

HET_INLINE void endRow_float(u32 *d, const u32 *c, u64 stride, u32 e, u32 flags,
                             Floats row) {
  (void)c;
  Words isNaN = (Words)(row != row);
  if (flags & D_IS_HALF) {
    HalfBits halves = (HalfBits) __builtin_convertvector(row, Halves);
    Words bits = CHOOSE(isNaN, 0x7FFFu, __builtin_convertvector(halves, Words));
    store_4(d + stride * (e >> 1), EVEN(bits) | ODD(bits) << 16);
    return;
  }
  Words bits = CHOOSE(isNaN, 0x7FFFFFFFu, (Words)row);
  store_4(d + stride * e, EVEN(bits));
  store_4(d + stride * (e + 1), ODD(bits));
}
HET_INLINE void endRow_double(u64 *d, const u64 *c, u64 stride, u32 e, u32 flags,
                              Doubles row) {
  (void)c, (void)flags;
  WordPairs bits = CHOOSE((WordPairs)(row != row), 0x7FF8000000000000u, (WordPairs)row);
  storePairs_4(d + stride * e, EVEN(bits));
  storePairs_4(d + stride * (e + 1), ODD(bits));
}
/* Sums of C that leave the range end at its end where SATURATES says so. */
HET_INLINE void endRow_pairs(u32 *d, const u32 *c, u64 stride, u32 e, u32 flags,
                             Integers row) {
  Integers before = (Integers)WEAVE(load_4(c + stride * e), load_4(c + stride * (e + 1)));
  Words sum = (Words)before + (Words)row;
  if (flags & SATURATES)
    sum = (Words)__builtin_elementwise_add_sat(before, row);
  store_4(d + stride * e, EVEN(sum));
  store_4(d + stride * (e + 1), ODD(sum));
}
#define endRow_bits endRow_pairs

#endif
