// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of a 16-bit floating type: a NaN makes the ordered ones false,
// __hne among them, and the unordered ones (…u) true. The operators are C's.

#if !defined(HET_F)
#error "__het/small_float_compare.h is a part of __het/small_float.h"
#endif

HET_F bool __hisnan(const HET_T a) { return (a.__x & 0x7fff) > HET_INFINITY; }
HET_F int __hisinf(const HET_T a) {
  return (a.__x & 0x7fff) != HET_INFINITY ? 0 : a.__x >> 15 ? -1 : 1;
}

#define HET_COMPARE(name, ordered, unordered)                                            \
  HET_F bool __h##name(const HET_T a, const HET_T b) {                                   \
    float x = HET_TO(a), y = HET_TO(b);                                                  \
    return ordered;                                                                      \
  }                                                                                      \
  HET_F bool __h##name##u(const HET_T a, const HET_T b) {                                \
    float x = HET_TO(a), y = HET_TO(b);                                                  \
    return unordered;                                                                    \
  }                                                                                      \
  HET_F HET_T2 __h##name##2(const HET_T2 a, const HET_T2 b) {                            \
    return HET_T2(HET_FROM(__h##name(a.x, b.x) ? 1.0f : 0.0f),                           \
                  HET_FROM(__h##name(a.y, b.y) ? 1.0f : 0.0f));                          \
  }                                                                                      \
  HET_F HET_T2 __h##name##u2(const HET_T2 a, const HET_T2 b) {                           \
    return HET_T2(HET_FROM(__h##name##u(a.x, b.x) ? 1.0f : 0.0f),                        \
                  HET_FROM(__h##name##u(a.y, b.y) ? 1.0f : 0.0f));                       \
  }                                                                                      \
  HET_F bool __hb##name##2(const HET_T2 a, const HET_T2 b) {                             \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                   \
  }                                                                                      \
  HET_F bool __hb##name##u2(const HET_T2 a, const HET_T2 b) {                            \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                             \
  }                                                                                      \
  HET_F unsigned int __h##name##2_mask(const HET_T2 a, const HET_T2 b) {                 \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) |                                        \
           (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                                     \
  }                                                                                      \
  HET_F unsigned int __h##name##u2_mask(const HET_T2 a, const HET_T2 b) {                \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0u) |                                     \
           (__h##name##u(a.y, b.y) ? 0xffff0000u : 0u);                                  \
  }
HET_COMPARE(eq, x == y, !(x < y || x > y))
HET_COMPARE(ne, x<y || x> y, x != y)
HET_COMPARE(lt, x < y, !(x >= y))
HET_COMPARE(le, x <= y, !(x > y))
HET_COMPARE(gt, x > y, !(x <= y))
HET_COMPARE(ge, x >= y, !(x < y))
#undef HET_COMPARE

#define HET_COMPARE_OPERATOR(op, name)                                                   \
  HET_F bool operator op(const HET_T &a, const HET_T &b) { return __h##name(a, b); }
#define HET_COMPARE_PAIR_OPERATOR(op, name)                                              \
  HET_F bool operator op(const HET_T2 &a, const HET_T2 &b) { return __hb##name##2(a, b); }
#define HET_COMPARE_OPERATORS(define)                                                    \
  define(==, eq) define(!=, neu) define(<, lt) define(<=, le) define(>, gt) define(>=, ge)
#if HET_OPERATORS
HET_COMPARE_OPERATORS(HET_COMPARE_OPERATOR)
#endif
#if HET_PAIR_OPERATORS
HET_COMPARE_OPERATORS(HET_COMPARE_PAIR_OPERATOR)
#endif
#undef HET_COMPARE_OPERATORS
#undef HET_COMPARE_PAIR_OPERATOR
#undef HET_COMPARE_OPERATOR

// A number wins over a NaN, in the …_nan forms the NaN; +0 is above -0.
#if defined(__CUDA_ARCH__)
#define HET_MIN_MAX(name)                                                                \
  HET_F HET_T __h##name(const HET_T a, const HET_T b) {                                  \
    return HET_BITS(HET_DEVICE(name)(a.__x, b.__x));                                     \
  }                                                                                      \
  HET_F HET_T __h##name##_nan(const HET_T a, const HET_T b) {                            \
    return HET_BITS(HET_DEVICE(name##_nan)(a.__x, b.__x));                               \
  }
#else
#define HET_MIN_MAX(name)                                                                \
  HET_F HET_T __h##name(const HET_T a, const HET_T b) {                                  \
    if (__hisnan(a) && __hisnan(b))                                                      \
      return HET_BITS(0x7fff);                                                           \
    return HET_FROM(__het_f##name(HET_TO(a), HET_TO(b)));                                \
  }                                                                                      \
  HET_F HET_T __h##name##_nan(const HET_T a, const HET_T b) {                            \
    if (__hisnan(a) || __hisnan(b))                                                      \
      return HET_BITS(0x7fff);                                                           \
    return HET_FROM(__het_f##name(HET_TO(a), HET_TO(b)));                                \
  }
#endif
HET_MIN_MAX(min)
HET_MIN_MAX(max)
#undef HET_MIN_MAX
