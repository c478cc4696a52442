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
#include "teams.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint16_t u16;
typedef int32_t i32;

enum { COLUMNS = 8 };

/* What an operation is told beside its shape (lib/Transforms/Segments/MatrixSlots.h). */
enum {
  A_IS_OTHER = 1, /* signed integers, or e5m2 */
  B_IS_OTHER = 2,
  SATURATES = 4,
  C_IS_HALF = 8,
  D_IS_HALF = 16,
  IS_AND = 32
};

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
#define NAMES(...) __VA_ARGS__
#define NOT_INLINE static __attribute__((noinline))

HET_INLINE u64 strideOf(u64 threads) {
  return (threads + HET_TEAM - 1) & ~(u64)(HET_TEAM - 1);
}

HET_INLINE float floatOfBits(u32 bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

HET_INLINE u32 bitsOfFloat(float value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

HET_INLINE float floatOfHalf(u32 bits) {
  u16 low = (u16)bits;
  _Float16 value;
  __builtin_memcpy(&value, &low, sizeof(value));
  return (float)value;
}

HET_INLINE u32 bitsOfHalf(float value) {
  _Float16 half = (_Float16)value;
  u16 bits;
  __builtin_memcpy(&bits, &half, sizeof(bits));
  return value != value ? 0x7FFFu : bits;
}

//===----------------------------------------------------------------------===//
// Elements: element i of a register
//===----------------------------------------------------------------------===//

HET_INLINE float e4m3(u32 byte) {
  u32 magnitude = byte & 0x7Fu, sign = (byte & 0x80u) << 24;
  u32 normal = (magnitude << 20) + (120u << 23);
  u32 small = bitsOfFloat((float)(i32)magnitude * 0x1p-9f);
  u32 bits = magnitude < 8 ? small : normal;
  return floatOfBits((magnitude == 0x7Fu ? 0x7FC00000u : bits) | sign);
}

HET_INLINE float element_f16(u32 word, u32 i, u32 other) {
  (void)other;
  return floatOfHalf(word >> 16 * i);
}
HET_INLINE float element_bf16(u32 word, u32 i, u32 other) {
  (void)other;
  return floatOfBits(i ? word & 0xFFFF0000u : word << 16);
}
HET_INLINE float element_tf32(u32 word, u32 i, u32 other) {
  (void)i, (void)other;
  return floatOfBits(word & 0xFFFFE000u);
}
HET_INLINE float element_f8(u32 word, u32 i, u32 isE5m2) {
  u32 byte = word >> 8 * i & 0xFFu;
  return isE5m2 ? floatOfHalf(byte << 8) : e4m3(byte);
}
HET_INLINE double element_f64(u64 word, u32 i, u32 other) {
  (void)i, (void)other;
  double value;
  __builtin_memcpy(&value, &word, sizeof(value));
  return value;
}
HET_INLINE i32 element_i8(u32 word, u32 i, u32 isSigned) {
  u32 sign = isSigned ? 0x80u : 0;
  return (i32)(((word >> 8 * i & 0xFFu) ^ sign) - sign);
}
HET_INLINE i32 element_i4(u32 word, u32 i, u32 isSigned) {
  u32 sign = isSigned ? 0x8u : 0;
  return (i32)(((word >> 4 * i & 0xFu) ^ sign) - sign);
}
/* A row or column of bits goes by words. */
HET_INLINE i32 element_b1(u32 word, u32 i, u32 other) {
  (void)i, (void)other;
  return (i32)word;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

HET_INLINE float add_float(float a, float b, float sum, u32 flags) {
  (void)flags;
  return __builtin_fmaf(a, b, sum);
}
HET_INLINE double add_double(double a, double b, double sum, u32 flags) {
  (void)flags;
  return __builtin_fma(a, b, sum);
}
HET_INLINE i32 add_i32(i32 a, i32 b, i32 sum, u32 flags) {
  (void)flags;
  return sum + a * b;
}
HET_INLINE i32 add_bits(i32 a, i32 b, i32 sum, u32 flags) {
  return sum + __builtin_popcount((u32)(flags & IS_AND ? a & b : a ^ b));
}

/* Where element e of C or D lies in a lane: its register. */
#define SUM_ROW(e, g) ((g) + 8 * ((e) >> 1))
#define SUM_COLUMN(e, t) (2 * (t) + ((e) & 1))

HET_INLINE float begin_float(const u32 *c, u64 stride, u32 e, u32 flags) {
  return flags & C_IS_HALF ? floatOfHalf(c[stride * (e >> 1)] >> 16 * (e & 1))
                           : floatOfBits(c[stride * e]);
}
HET_INLINE double begin_double(const u64 *c, u64 stride, u32 e, u32 flags) {
  return element_f64(c[stride * e], 0, flags);
}
/* Integers are added up from 0, without overflow; C comes in the end. */
HET_INLINE i32 begin_i32(const u32 *c, u64 stride, u32 e, u32 flags) {
  (void)c, (void)stride, (void)e, (void)flags;
  return 0;
}
#define begin_bits begin_i32

/* Two elements of a row, which are neighbours. */
HET_INLINE void end_float(u32 *d, const u32 *c, u64 stride, u32 e, u32 flags, float low,
                          float high) {
  (void)c;
  if (flags & D_IS_HALF) {
    d[stride * (e >> 1)] = bitsOfHalf(low) | bitsOfHalf(high) << 16;
    return;
  }
  d[stride * e] = low != low ? 0x7FFFFFFFu : bitsOfFloat(low);
  d[stride * (e + 1)] = high != high ? 0x7FFFFFFFu : bitsOfFloat(high);
}
HET_INLINE u64 bitsOfDouble(double value) {
  u64 bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return value != value ? 0x7FF8000000000000u : bits;
}
HET_INLINE void end_double(u64 *d, const u64 *c, u64 stride, u32 e, u32 flags, double low,
                           double high) {
  (void)c, (void)flags;
  d[stride * e] = bitsOfDouble(low);
  d[stride * (e + 1)] = bitsOfDouble(high);
}
HET_INLINE u32 addInteger(u32 c, i32 sum, u32 flags) {
  int64_t exact = (int64_t)(i32)c + sum;
  if (flags & SATURATES)
    exact = exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : exact;
  return (u32)exact;
}
HET_INLINE void end_i32(u32 *d, const u32 *c, u64 stride, u32 e, u32 flags, i32 low,
                        i32 high) {
  d[stride * e] = addInteger(c[stride * e], low, flags);
  d[stride * (e + 1)] = addInteger(c[stride * (e + 1)], high, flags);
}
#define end_bits end_i32

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/* Of each kind of elements: a register, what an element becomes, how it is added, and how
   many of these a register holds. */
#define WORD_f16 u32
#define WORD_bf16 u32
#define WORD_tf32 u32
#define WORD_f8 u32
#define WORD_f64 u64
#define WORD_i8 u32
#define WORD_i4 u32
#define WORD_b1 u32
#define VALUE_f16 float
#define VALUE_bf16 float
#define VALUE_tf32 float
#define VALUE_f8 float
#define VALUE_f64 double
#define VALUE_i8 i32
#define VALUE_i4 i32
#define VALUE_b1 i32
#define KIND_f16 float
#define KIND_bf16 float
#define KIND_tf32 float
#define KIND_f8 float
#define KIND_f64 double
#define KIND_i8 i32
#define KIND_i4 i32
#define KIND_b1 bits
#define PER_REGISTER_f16 2
#define PER_REGISTER_bf16 2
#define PER_REGISTER_tf32 1
#define PER_REGISTER_f8 4
#define PER_REGISTER_f64 1
#define PER_REGISTER_i8 4
#define PER_REGISTER_i4 8
#define PER_REGISTER_b1 1
/* Columns of A: a word of bits counts as one. */
#define DEPTH_f16(k) (k)
#define DEPTH_bf16(k) (k)
#define DEPTH_tf32(k) (k)
#define DEPTH_f8(k) (k)
#define DEPTH_f64(k) (k)
#define DEPTH_i8(k) (k)
#define DEPTH_i4(k) (k)
#define DEPTH_b1(k) ((k) / 32)

#define PASTE(a, b) PASTED(a, b)
#define PASTED(a, b) a##b

#define MULTIPLY(elements, m, k, name)                                                   \
  NOT_INLINE void name##OfTeam(u64 first, u32 flags, u64 threads,                        \
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

/* An element may be of any type. */
typedef u16 __attribute__((may_alias)) Half;
typedef u32 __attribute__((may_alias)) Pair;

enum { IS_TRANSPOSED = 8 }; /* beside the count of matrices */

#define ROW(T, j, r) ((T *)(uintptr_t)addresses[8 * (j) + (r)])

NOT_INLINE void matrix_loadOfTeam(u64 first, u32 flags, u64 threads, const u64 *addresses,
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

NOT_INLINE void matrix_storeOfTeam(u64 first, u32 flags, u64 threads,
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

NOT_INLINE void matrix_transposeOfTeam(u64 first, u32 flags, u64 threads,
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
