/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operations of a team on matrices as the code of one lane, for machines whose lanes run
 * together but that lack the instruction. Lanes exchange registers by a function of the
 * target's: __het_exchange gives what lane `from` has passed. All lanes of a team call
 * these functions together.
 *
 * `words` are a lane's registers of A, B and C; the order of sums is that of matrix.c.
 */
#include "matrix.h"

u32 __het_exchange(u32 value, u32 from);

HET_INLINE u32 exchange_u32(u32 value, u32 from) { return __het_exchange(value, from); }
HET_INLINE u64 exchange_u64(u64 value, u32 from) {
  u32 low = __het_exchange((u32)value, from);
  return low | (u64)__het_exchange((u32)(value >> 32), from) << 32;
}

#define EXCHANGE_f16 exchange_u32
#define EXCHANGE_bf16 exchange_u32
#define EXCHANGE_tf32 exchange_u32
#define EXCHANGE_f8 exchange_u32
#define EXCHANGE_f64 exchange_u64
#define EXCHANGE_i8 exchange_u32
#define EXCHANGE_i4 exchange_u32
#define EXCHANGE_b1 exchange_u32

/* Lane 4 g + s has of row g, and lane 4 n + s of column n, the elements from p s on of each
   4 p: those of a lane's sums come in the order of k. */
#define MULTIPLY(elements, m, k, name)                                                   \
  NOT_INLINE void name(u32 flags, u32 lane, const WORD_##elements *words,                \
                       WORD_##elements *results) {                                       \
    typedef VALUE_##elements Value;                                                      \
    enum { P = PER_REGISTER_##elements, K = DEPTH_##elements(k), H = (m) / 8 };          \
    enum { B_REGISTERS = K / (4 * P), A_REGISTERS = H * B_REGISTERS };                   \
    const WORD_##elements *b = words + A_REGISTERS, *c = b + B_REGISTERS;                \
    const u32 g = lane / 4, t = lane % 4;                                                \
    Value sums[2 * H];                                                                   \
    for (u32 e = 0; e < 2 * H; ++e)                                                      \
      sums[e] = PASTE(begin_, KIND_##elements)(c, 1, e, flags);                          \
    for (u32 r = 0; r < B_REGISTERS; ++r)                                                \
      for (u32 s = 0; s < 4; ++s) {                                                      \
        WORD_##elements rows[H], columns[2];                                             \
        for (u32 h = 0; h < H; ++h)                                                      \
          rows[h] = EXCHANGE_##elements(words[r * H + h], 4 * g + s);                    \
        for (u32 j = 0; j < 2; ++j)                                                      \
          columns[j] = EXCHANGE_##elements(b[r], 4 * (2 * t + j) + s);                   \
        for (u32 i = 0; i < P; ++i)                                                      \
          for (u32 e = 0; e < 2 * H; ++e)                                                \
            sums[e] = PASTE(add_, KIND_##elements)(                                      \
                element_##elements(rows[e >> 1], i, flags & A_IS_OTHER),                 \
                element_##elements(columns[e & 1], i, flags & B_IS_OTHER), sums[e],      \
                flags);                                                                  \
      }                                                                                  \
    for (u32 e = 0; e < 2 * H; e += 2)                                                   \
      PASTE(end_, KIND_##elements)(results, c, 1, e, flags, sums[e], sums[e + 1]);       \
  }

#define HET_MATRIX(elements, m, n, k, bits, capability, version)                         \
  MULTIPLY(elements, m, k, __het_lane_matrix_##elements##_##m##_##n##_##k)
#include "het/DeviceABI/MatrixForms.def"

#define ROW(T, j, r) ((T *)(uintptr_t)exchange_u64(address, 8 * (j) + (r)))

NOT_INLINE void __het_lane_matrix_load(u32 flags, u32 lane, u64 address, u32 *results) {
  const u32 g = lane / 4, t = lane % 4;
  for (u32 j = 0; j < (flags & 7u); ++j)
    if (flags & IS_TRANSPOSED) {
      const Half *low = ROW(Half, j, 2 * t), *high = ROW(Half, j, 2 * t + 1);
      results[j] = low[g] | (u32)high[g] << 16;
    } else {
      results[j] = ROW(Pair, j, g)[t];
    }
}

NOT_INLINE void __het_lane_matrix_store(u32 flags, u32 lane, u64 address, const u32 *words) {
  const u32 g = lane / 4, t = lane % 4;
  for (u32 j = 0; j < (flags & 7u); ++j)
    if (flags & IS_TRANSPOSED) {
      Half *low = ROW(Half, j, 2 * t), *high = ROW(Half, j, 2 * t + 1);
      low[g] = (u16)words[j];
      high[g] = (u16)(words[j] >> 16);
    } else {
      ROW(Pair, j, g)[t] = words[j];
    }
}

NOT_INLINE void __het_lane_matrix_transpose(u32 flags, u32 lane, const u32 *words,
                                            u32 *results) {
  (void)flags;
  const u32 g = lane / 4, from = 8 * (lane % 4) + g / 2, shift = 16 * (g % 2);
  const u32 low = __het_exchange(words[0], from);
  const u32 high = __het_exchange(words[0], from + 4);
  results[0] = (low >> shift & 0xFFFFu) | (high >> shift) << 16;
}
