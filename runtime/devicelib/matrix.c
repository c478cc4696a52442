/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operations of a team on matrices over slots (hetir.matrix_multiply and its kin). A
 * register of a lane is an array over the lanes of the block; a matrix's registers follow
 * each other, `stride` apart: those of A, B and C, and elsewhere those of D. Each shape is
 * one function, which is not inlined: kernels have many operations of few shapes.
 *
 * The array of a register of A holds 8 rows one after the other, of B 8 columns. These are
 * made numbers of; those of B are transposed, so that 8 columns are a vector; then rows of
 * A, four at a time, are multiplied with it.
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

typedef float Vector_float __attribute__((vector_size(COLUMNS * 4)));
typedef double Vector_double __attribute__((vector_size(COLUMNS * 8)));
typedef i32 Vector_i32 __attribute__((vector_size(COLUMNS * 4)));
typedef i32 Vector_bits __attribute__((vector_size(COLUMNS * 4)));

#define SPLAT(Vector, x) ((Vector){x, x, x, x, x, x, x, x})
#define ADD_float(a, b, sum, flags) __builtin_elementwise_fma(a, b, sum)
#define ADD_double(a, b, sum, flags) __builtin_elementwise_fma(a, b, sum)
#define ADD_i32(a, b, sum, flags) ((sum) + (a) * (b))
#define ADD_bits(a, b, sum, flags)                                                       \
  ((sum) + __builtin_elementwise_popcount((flags)&IS_AND ? (a) & (b) : (a) ^ (b)))

/* Element `x` of the array of a register. */
#define AT_f16(words, x, other) element_f16(((const Half *)(words))[x], 0, other)
#define AT_bf16(words, x, other) element_bf16(((const Half *)(words))[x], 0, other)
#define AT_tf32(words, x, other) element_tf32((words)[x], 0, other)
#define AT_f8(words, x, other) element_f8(((const Byte *)(words))[x], 0, other)
#define AT_f64(words, x, other) element_f64((words)[x], 0, other)
#define AT_i8(words, x, other) element_i8(((const Byte *)(words))[x], 0, other)
#define AT_i4(words, x, other) element_i4(((const Byte *)(words))[(x) / 2], (x) % 2, other)
#define AT_b1(words, x, other) element_b1((words)[x], 0, other)

#define MULTIPLY(elements, m, k, name)                                                   \
  NOT_INLINE static void name##OfTeam(u64 first, u32 flags, u64 threads,                 \
                                      const WORD_##elements *words,                      \
                                      WORD_##elements *results) {                        \
    typedef VALUE_##elements Value;                                                      \
    typedef PASTE(Vector_, KIND_##elements) Vector;                                      \
    enum { P = PER_REGISTER_##elements, K = DEPTH_##elements(k), H = (m) / 8 };          \
    enum { LINE = 4 * P, B_REGISTERS = K / LINE, A_REGISTERS = H * B_REGISTERS };        \
    const u64 stride = strideOf(threads);                                                \
    Value a[A_REGISTERS][8 * LINE], b[B_REGISTERS][8 * LINE];                            \
    Vector columns[K], sums[m];                                                          \
    words += first, results += first;                                                    \
    const WORD_##elements *inB = words + stride * A_REGISTERS;                           \
    const WORD_##elements *c = inB + stride * B_REGISTERS;                               \
    for (u32 r = 0; r < A_REGISTERS; ++r)                                                \
      for (u32 x = 0; x < 8 * LINE; ++x)                                                 \
        a[r][x] = AT_##elements(words + stride * r, x, flags & A_IS_OTHER);              \
    for (u32 r = 0; r < B_REGISTERS; ++r)                                                \
      for (u32 x = 0; x < 8 * LINE; ++x)                                                 \
        b[r][x] = AT_##elements(inB + stride * r, x, flags & B_IS_OTHER);                \
    for (u32 r = 0; r < B_REGISTERS; ++r)                                                \
      for (u32 place = 0; place < LINE; ++place)                                         \
        for (u32 g = 0; g < COLUMNS; ++g)                                                \
          columns[LINE * r + place][g] = b[r][LINE * g + place];                         \
    for (u32 row = 0; row < (m); ++row)                                                  \
      for (u32 t = 0; t < 4; ++t)                                                        \
        for (u32 j = 0; j < 2; ++j)                                                      \
          sums[row][2 * t + j] = PASTE(begin_, KIND_##elements)(                         \
              c + 4 * (row % 8) + t, stride, 2 * (row / 8) + j, flags);                  \
    for (u32 row = 0; row < (m); row += 4)                                               \
      for (u32 r = 0; r < B_REGISTERS; ++r)                                              \
        for (u32 place = 0; place < LINE; ++place)                                       \
          for (u32 i = 0; i < 4; ++i)                                                    \
            sums[row + i] = PASTE(ADD_, KIND_##elements)(                                \
                SPLAT(Vector, a[H * r + row / 8][LINE * (row % 8 + i) + place]),         \
                columns[LINE * r + place], sums[row + i], flags);                        \
    for (u32 row = 0; row < (m); ++row)                                                  \
      for (u32 t = 0; t < 4; ++t) {                                                      \
        const u32 lane = 4 * (row % 8) + t;                                              \
        PASTE(end_, KIND_##elements)(results + lane, c + lane, stride, 2 * (row / 8),    \
                                     flags, sums[row][2 * t], sums[row][2 * t + 1]);     \
      }                                                                                  \
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
