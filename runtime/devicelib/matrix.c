/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operations of a team on matrices over slots (hetir.matrix_multiply and its kin). A
 * register of a lane is an array over the lanes of the block; a matrix's registers follow
 * each other, `stride` apart: those of A, B and C, and elsewhere those of D. Each shape is
 * one function, which is not inlined: kernels have many operations of few shapes.
 *
 * First the elements go from the lanes' registers into plain arrays, then three loops add
 * up products, the innermost over the 8 columns, which are neighbours in memory.
 *
 * Source: PTX ISA, "Warp-level matrix instructions"; docs/spec/hetir-ops.md.
 */
#include "matrix.h"

enum { COLUMNS = 8 };

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

#define MULTIPLY(elements, m, k, name)                                                   \
  NOT_INLINE static void name##OfTeam(u64 first, u32 flags, u64 threads,                        \
                               const WORD_##elements *words,                             \
                               WORD_##elements *results) {                               \
    typedef VALUE_##elements Value;                                                      \
    enum { P = PER_REGISTER_##elements, K = DEPTH_##elements(k), H = (m) / 8 };          \
    enum { B_REGISTERS = K / (4 * P), A_REGISTERS = H * B_REGISTERS };                   \
    const u64 stride = strideOf(threads);                                                \
    Value a[m][K], b[K][COLUMNS], sums[m][COLUMNS];                                      \
    words += first, results += first;                                                    \
    const WORD_##elements *c = words + stride * (A_REGISTERS + B_REGISTERS);             \
    for (u32 r = 0; r < A_REGISTERS; ++r)                                                \
      for (u32 l = 0; l < HET_TEAM; ++l)                                                 \
        for (u32 i = 0; i < P; ++i)                                                      \
          a[l / 4 + 8 * (r % H)][4 * P * (r / H) + P * (l % 4) + i] =                    \
              element_##elements(words[stride * r + l], i, flags & A_IS_OTHER);          \
    words += stride * A_REGISTERS;                                                       \
    for (u32 r = 0; r < B_REGISTERS; ++r)                                                \
      for (u32 l = 0; l < HET_TEAM; ++l)                                                 \
        for (u32 i = 0; i < P; ++i)                                                      \
          b[4 * P * r + P * (l % 4) + i][l / 4] =                                        \
              element_##elements(words[stride * r + l], i, flags & B_IS_OTHER);          \
    for (u32 e = 0; e < 2 * H; ++e)                                                      \
      for (u32 l = 0; l < HET_TEAM; ++l)                                                 \
        sums[SUM_ROW(e, l / 4)][SUM_COLUMN(e, l % 4)] =                                  \
            PASTE(begin_, KIND_##elements)(c + l, stride, e, flags);                     \
    for (u32 row = 0; row < (m); ++row)                                                  \
      for (u32 place = 0; place < K; ++place)                                            \
        for (u32 column = 0; column < COLUMNS; ++column)                                 \
          sums[row][column] = PASTE(add_, KIND_##elements)(                              \
              a[row][place], b[place][column], sums[row][column], flags);                \
    for (u32 e = 0; e < 2 * H; e += 2)                                                   \
      for (u32 l = 0; l < HET_TEAM; ++l)                                                 \
        PASTE(end_, KIND_##elements)(results + l, c + l, stride, e, flags,               \
                                     sums[SUM_ROW(e, l / 4)][SUM_COLUMN(e, l % 4)],      \
                                     sums[SUM_ROW(e, l / 4)][SUM_COLUMN(e + 1, l % 4)]); \
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
