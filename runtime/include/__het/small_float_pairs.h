// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on pairs, part by part, and how pairs are made and taken apart.

#if !defined(HET_F)
#error "__het/small_float_pairs.h is a part of __het/small_float.h"
#endif

#define HET_PAIR_1(name, of)                                                             \
  HET_F HET_T2 name(const HET_T2 a) { return HET_T2(of(a.x), of(a.y)); }
#define HET_PAIR_2(name, of)                                                             \
  HET_F HET_T2 name(const HET_T2 a, const HET_T2 b) {                                    \
    return HET_T2(of(a.x, b.x), of(a.y, b.y));                                           \
  }
#define HET_PAIR_3(name, of)                                                             \
  HET_F HET_T2 name(const HET_T2 a, const HET_T2 b, const HET_T2 c) {                    \
    return HET_T2(of(a.x, b.x, c.x), of(a.y, b.y, c.y));                                 \
  }
HET_PAIR_1(__hneg2, __hneg)
HET_PAIR_1(__habs2, __habs)
HET_PAIR_2(__hadd2, __hadd)
HET_PAIR_2(__hsub2, __hsub)
HET_PAIR_2(__hmul2, __hmul)
HET_PAIR_2(__h2div, __hdiv)
HET_PAIR_2(__hadd2_rn, __hadd_rn)
HET_PAIR_2(__hsub2_rn, __hsub_rn)
HET_PAIR_2(__hmul2_rn, __hmul_rn)
HET_PAIR_2(__hadd2_sat, __hadd_sat)
HET_PAIR_2(__hsub2_sat, __hsub_sat)
HET_PAIR_2(__hmul2_sat, __hmul_sat)
HET_PAIR_2(__hmax2, __hmax)
HET_PAIR_2(__hmin2, __hmin)
HET_PAIR_2(__hmax2_nan, __hmax_nan)
HET_PAIR_2(__hmin2_nan, __hmin_nan)
HET_PAIR_3(__hfma2, __hfma)
HET_PAIR_3(__hfma2_sat, __hfma_sat)
HET_PAIR_3(__hfma2_relu, __hfma_relu)
#undef HET_PAIR_1
#undef HET_PAIR_2
#undef HET_PAIR_3

HET_F HET_T2 __hisnan2(const HET_T2 a) {
  return HET_T2(HET_FROM(__hisnan(a.x) ? 1.0f : 0.0f),
                HET_FROM(__hisnan(a.y) ? 1.0f : 0.0f));
}
// a * b + c of complex numbers
HET_F HET_T2 __hcmadd(const HET_T2 a, const HET_T2 b, const HET_T2 c) {
  return HET_T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

#if HET_PAIR_OPERATORS
#define HET_OPERATOR(op, name)                                                           \
  HET_F HET_T2 operator op(const HET_T2 &a, const HET_T2 &b) { return name(a, b); }      \
  HET_F HET_T2 &operator op## = (HET_T2 & a, const HET_T2 &b) { return a = name(a, b); }
HET_OPERATOR(+, __hadd2)
HET_OPERATOR(-, __hsub2)
HET_OPERATOR(*, __hmul2)
HET_OPERATOR(/, __h2div)
#undef HET_OPERATOR
#define HET_STEP(op, name)                                                               \
  HET_F HET_T2 &operator op(HET_T2 &a) {                                                 \
    return a = name(a, HET_T2(HET_FROM(1.0f), HET_FROM(1.0f)));                          \
  }                                                                                      \
  HET_F HET_T2 operator op(HET_T2 &a, int) {                                             \
    HET_T2 old = a;                                                                      \
    a = name(a, HET_T2(HET_FROM(1.0f), HET_FROM(1.0f)));                                 \
    return old;                                                                          \
  }
HET_STEP(++, __hadd2)
HET_STEP(--, __hsub2)
#undef HET_STEP
HET_F HET_T2 operator+(const HET_T2 &a) { return a; }
HET_F HET_T2 operator-(const HET_T2 &a) { return __hneg2(a); }
#endif // HET_PAIR_OPERATORS

// Made and taken apart
HET_F HET_T2 HET_NAMED(make_, 2)(HET_T a, HET_T b) { return HET_T2(a, b); }
HET_F HET_T2 HET_NAMED(__halves2, 2)(HET_T a, HET_T b) { return HET_T2(a, b); }
HET_F HET_T2 HET_SPREAD(HET_T a) { return HET_T2(a, a); }
HET_F HET_T HET_NAMED(__low2, )(HET_T2 a) { return a.x; }
HET_F HET_T HET_NAMED(__high2, )(HET_T2 a) { return a.y; }
HET_F HET_T2 HET_NAMED(__low2, 2)(HET_T2 a) { return HET_T2(a.x, a.x); }
HET_F HET_T2 HET_NAMED(__high2, 2)(HET_T2 a) { return HET_T2(a.y, a.y); }
HET_F HET_T2 HET_NAMED(__lows2, 2)(HET_T2 a, HET_T2 b) { return HET_T2(a.x, b.x); }
HET_F HET_T2 HET_NAMED(__highs2, 2)(HET_T2 a, HET_T2 b) { return HET_T2(a.y, b.y); }
HET_F HET_T2 __lowhigh2highlow(HET_T2 a) { return HET_T2(a.y, a.x); }
HET_F float __low2float(HET_T2 a) { return HET_TO(a.x); }
HET_F float __high2float(HET_T2 a) { return HET_TO(a.y); }
HET_F HET_T2 HET_NAMED(__float2, 2_rn)(float a) {
  return HET_T2(HET_FROM(a), HET_FROM(a));
}
HET_F HET_T2 HET_NAMED(__floats2, 2_rn)(float a, float b) {
  return HET_T2(HET_FROM(a), HET_FROM(b));
}
HET_F HET_T2 HET_NAMED(__float22, 2_rn)(float2 a) {
  return HET_T2(HET_FROM(a.x), HET_FROM(a.y));
}
HET_F float2 HET_NAMED(__, 22float2)(HET_T2 a) {
  return make_float2(HET_TO(a.x), HET_TO(a.y));
}
