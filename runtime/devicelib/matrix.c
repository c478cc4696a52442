/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operations of a team on matrices over slots (hetir.matrix_multiply and its kin). A
 * register of a lane is an array over the lanes of the block; a matrix's registers follow
 * each other, `stride` apart: those of A, B and C, and elsewhere those of D. Each shape is
 * one function, which is not inlined: kernels have many operations of few shapes.
 *
 * The array of a register of A holds 8 rows one after the other, of B 8 columns, each in
 * four words. Units are made of these, eight words at a time (matrix_vectors.h); those of B
 * are turned, so that 8 columns are a vector; then rows of A are multiplied with it, as
 * many at a time as hide what an addition takes.
 *
 * Source: PTX ISA, "Warp-level matrix instructions"; docs/spec/hetir-ops.md.
 */
#include "matrix_vectors.h"

/* Defines the two forms of an operation; a team that is not complete takes no part. */
#define MATRIX_OPERATION(name, parameters, arguments)                                    \
  HET_ALWAYS_INLINE void __het_team_##name(u32 team, u32 lanes, NAMES parameters) {      \
    if (lanes == HET_ALL_LANES)                                                          \
      name##OfTeam((u64)team * HET_TEAM, NAMES arguments);                               \
  }                                                                                      \
  HET_ALWAYS_INLINE void __het_block_##name(u64 count, const u32 *pcs, NAMES parameters) {      \
    for (u32 team = 0; (u64)team * HET_TEAM < count; ++team)                             \
      if (hetLanesOf(team, count, pcs) == HET_ALL_LANES)                                 \
        name##OfTeam((u64)team * HET_TEAM, NAMES arguments);                             \
  }

HET_INLINE u64 strideOf(u64 threads) {
  return (threads + HET_TEAM - 1) & ~(u64)(HET_TEAM - 1);
}

/* Word t of each of the eight columns that begin at `words`. */
#define TURN(t)                                                                          \
  __builtin_shufflevector(low, high, t, 4 + (t), 8 + (t), 12 + (t), 16 + (t), 20 + (t),  \
                          24 + (t), 28 + (t))
#define DEFINE_TURN(name, Word, Vector)                                                  \
  HET_INLINE void name(const Word *words, Vector columns[4]) {                           \
    VECTOR(Word, 16) low, high;                                                          \
    __builtin_memcpy(&low, words, sizeof(low));                                          \
    __builtin_memcpy(&high, words + 16, sizeof(high));                                   \
    columns[0] = TURN(0), columns[1] = TURN(1);                                          \
    columns[2] = TURN(2), columns[3] = TURN(3);                                          \
  }
DEFINE_TURN(turn_u32, u32, Words)
DEFINE_TURN(turn_u64, u64, WordPairs)
#define TURN_WORDS(Word) PASTE(turn_, Word)

/* Rows at a time: a vector of doubles takes two registers of most machines. */
#define AT_ONCE_float 8
#define AT_ONCE_pairs 8
#define AT_ONCE_bits 8
#define AT_ONCE_double 4

#define MULTIPLY(elements, m, k, name)                                                   \
  NOT_INLINE static void name##OfTeam(u64 first, u32 flags, u64 threads,                 \
                                      const WORD_##elements *words,                      \
                                      WORD_##elements *results) {                        \
    typedef WORD_##elements Word;                                                        \
    typedef WORDS_##elements Vector;                                                     \
    typedef PASTE(UNIT_, UNITS_##elements) Unit;                                         \
    typedef PASTE(ONE_, UNITS_##elements) One;                                           \
    enum { P = PER_REGISTER_##elements, U = PER_WORD_##elements };                       \
    enum { B_REGISTERS = DEPTH_##elements(k) / (4 * P), H = (m) / 8 };                   \
    enum { A_REGISTERS = H * B_REGISTERS, R = PASTE(AT_ONCE_, UNITS_##elements) };       \
    const u64 stride = strideOf(threads);                                                \
    Unit a[A_REGISTERS][U][4], columns[B_REGISTERS][4][U];                               \
    words += first, results += first;                                                    \
    const Word *inB = words + stride * A_REGISTERS;                                      \
    const Word *c = inB + stride * B_REGISTERS;                                          \
    for (u32 r = 0; r < A_REGISTERS; ++r)                                                \
      for (u32 x = 0; x < 4; ++x) {                                                      \
        Vector eight;                                                                    \
        __builtin_memcpy(&eight, words + stride * r + 8 * x, sizeof(eight));             \
        for (u32 i = 0; i < U; ++i)                                                      \
          a[r][i][x] = units_##elements(eight, i, flags & A_IS_OTHER);                   \
      }                                                                                  \
    for (u32 r = 0; r < B_REGISTERS; ++r) {                                              \
      Vector turned[4];                                                                  \
      TURN_WORDS(WORD_##elements)(inB + stride * r, turned);                             \
      for (u32 t = 0; t < 4; ++t)                                                        \
        for (u32 i = 0; i < U; ++i)                                                      \
          columns[r][t][i] = units_##elements(turned[t], i, flags & B_IS_OTHER);         \
    }                                                                                    \
    for (u32 row = 0; row < (m); row += R) {                                             \
      PASTE(SUM_, UNITS_##elements) sums[R];                                             \
      for (u32 j = 0; j < R; ++j)                                                        \
        sums[j] = PASTE(beginRow_, UNITS_##elements)(c + 4 * ((row + j) % 8), stride,    \
                                                     2 * (row / 8), flags);              \
      for (u32 r = 0; r < B_REGISTERS; ++r)                                              \
        for (u32 t = 0; t < 4; ++t)                                                      \
          for (u32 i = 0; i < U; ++i)                                                    \
            for (u32 j = 0; j < R; ++j) {                                                \
              const u32 x = 4 * ((row + j) % 8) + t;                                     \
              sums[j] = PASTE(sum_, UNITS_##elements)(                                   \
                  SPLAT(Unit, ((const One *)a[H * r + row / 8][i])[x]),                  \
                  columns[r][t][i],                                                      \
                  sums[j], flags);                                                       \
            }                                                                            \
      for (u32 j = 0; j < R; ++j) {                                                      \
        const u32 lane = 4 * ((row + j) % 8);                                            \
        PASTE(endRow_, UNITS_##elements)(results + lane, c + lane, stride,               \
                                         2 * (row / 8), flags, sums[j]);                 \
      }                                                                                  \
    }                                                                                    \
  }                                                                                      \
  MATRIX_OPERATION(name,                                                                 \
                   (u32 flags, u64 threads, const WORD_##elements *words,                \
                    WORD_##elements *results),                                           \
                   (flags, threads, words, results))

#define HET_MATRIX(elements, m, n, k, bits, capability, version)                         \
  MULTIPLY(elements, m, k, matrix_##elements##_##m##_##n##_##k)
#include "het/DeviceABI/MatrixForms.def"

//===----------------------------------------------------------------------===//
// Loads, stores, transpositions: matrices of 8 by 8 elements of 16 bits
//===----------------------------------------------------------------------===//

#define ROW(T, j, r) ((T *)(uintptr_t)addresses[8 * (j) + (r)])

NOT_INLINE static void matrix_loadOfTeam(u64 first, u32 flags, u64 threads, const u64 *addresses,
                                  u32 *results) {
  const u64 stride = strideOf(threads);
  addresses += first, results += first;
  for (u32 j = 0; j < (flags & 7u); ++j, results += stride)
    for (u32 l = 0; l < HET_TEAM; ++l) {
      u32 g = l / 4, t = l % 4;
      results[l] = flags & IS_TRANSPOSED ? ROW(Half, j, 2 * t)[g] |
                                               (u32)ROW(Half, j, 2 * t + 1)[g] << 16
                                         : ROW(Pair, j, g)[t];
    }
}
MATRIX_OPERATION(matrix_load, (u32 flags, u64 threads, const u64 *addresses, u32 *results),
                 (flags, threads, addresses, results))

NOT_INLINE static void matrix_storeOfTeam(u64 first, u32 flags, u64 threads,
                                   const u64 *addresses, const u32 *words) {
  const u64 stride = strideOf(threads);
  addresses += first, words += first;
  for (u32 j = 0; j < (flags & 7u); ++j, words += stride)
    for (u32 l = 0; l < HET_TEAM; ++l) {
      u32 g = l / 4, t = l % 4;
      if (flags & IS_TRANSPOSED) {
        ROW(Half, j, 2 * t)[g] = (u16)words[l];
        ROW(Half, j, 2 * t + 1)[g] = (u16)(words[l] >> 16);
      } else {
        ROW(Pair, j, g)[t] = words[l];
      }
    }
}
MATRIX_OPERATION(matrix_store, (u32 flags, u64 threads, const u64 *addresses, const u32 *words),
                 (flags, threads, addresses, words))

NOT_INLINE static void matrix_transposeOfTeam(u64 first, u32 flags, u64 threads,
                                       const u32 *words, u32 *results) {
  (void)flags, (void)threads;
  for (u32 l = 0; l < HET_TEAM; ++l) {
    u32 g = l / 4, from = 8 * (l % 4) + g / 2, shift = 16 * (g % 2);
    results[first + l] = (words[first + from] >> shift & 0xFFFFu) |
                         (words[first + from + 4] >> shift) << 16;
  }
}
MATRIX_OPERATION(matrix_transpose, (u32 flags, u64 threads, const u32 *words, u32 *results),
                 (flags, threads, words, results))
