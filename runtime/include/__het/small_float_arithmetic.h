// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of a 16-bit floating type, and its operators.

#if !defined(HET_F)
#error "__het/small_float_arithmetic.h is a part of __het/small_float.h"
#endif

// Clamped to [0, 1]; NaN becomes 0.
HET_F HET_T __het_saturate(const HET_T a) {
  float f = HET_TO(a);
  return HET_FROM(!(f > 0.0f) ? 0.0f : f > 1.0f ? 1.0f : f);
}

#define HET_ARITHMETIC(name, result)                                                     \
  HET_F HET_T name(const HET_T a, const HET_T b) {                                       \
    float x = HET_TO(a), y = HET_TO(b);                                                  \
    return HET_FROM(result);                                                             \
  }
HET_ARITHMETIC(__hadd, x + y)
HET_ARITHMETIC(__hsub, x - y)
HET_ARITHMETIC(__hmul, (x * y))
#if defined(__CUDA_ARCH__) // whatever the precision of float's operator
HET_ARITHMETIC(__hdiv, __fdiv_rn(x, y))
#else
HET_ARITHMETIC(__hdiv, x / y)
#endif
#undef HET_ARITHMETIC
#define HET_FORMS(name)                                                                  \
  HET_F HET_T name##_rn(const HET_T a, const HET_T b) { return name(a, b); }             \
  HET_F HET_T name##_sat(const HET_T a, const HET_T b) {                                 \
    return __het_saturate(name(a, b));                                                   \
  }
HET_FORMS(__hadd)
HET_FORMS(__hsub)
HET_FORMS(__hmul)
#undef HET_FORMS

HET_F HET_T __hneg(const HET_T a) { return HET_BITS((unsigned short)(a.__x ^ 0x8000)); }
HET_F HET_T __habs(const HET_T a) { return HET_BITS((unsigned short)(a.__x & 0x7fff)); }
#if defined(__CUDA_ARCH__)
extern "C" __device__
    __attribute__((const, nothrow)) unsigned short HET_FMA(unsigned short, unsigned short,
                                                           unsigned short);
HET_F HET_T __hfma(const HET_T a, const HET_T b, const HET_T c) {
  return HET_BITS(HET_FMA(a.__x, b.__x, c.__x));
}
#else
HET_F HET_T __hfma(const HET_T a, const HET_T b, const HET_T c) {
  HET_WIDE product = (HET_WIDE)HET_TO(a) * HET_TO(b); // exact
  return HET_FROM_WIDE(__het_odd_sum(product, (HET_WIDE)HET_TO(c)));
}
#endif
HET_F HET_T __hfma_sat(const HET_T a, const HET_T b, const HET_T c) {
  return __het_saturate(__hfma(a, b, c));
}
HET_F HET_T __hfma_relu(const HET_T a, const HET_T b, const HET_T c) {
  HET_T r = __hfma(a, b, c);
  return HET_TO(r) < 0.0f ? HET_BITS(0) : r;
}

#if HET_OPERATORS
#define HET_OPERATOR(op, name)                                                           \
  HET_F HET_T operator op(const HET_T &a, const HET_T &b) { return name(a, b); }         \
  HET_F HET_T &operator op## = (HET_T & a, const HET_T &b) { return a = name(a, b); }
HET_OPERATOR(+, __hadd)
HET_OPERATOR(-, __hsub)
HET_OPERATOR(*, __hmul)
HET_OPERATOR(/, __hdiv)
#undef HET_OPERATOR
#define HET_STEP(op, name)                                                               \
  HET_F HET_T &operator op(HET_T &a) { return a = name(a, HET_FROM(1.0f)); }             \
  HET_F HET_T operator op(HET_T &a, int) {                                               \
    HET_T old = a;                                                                       \
    a = name(a, HET_FROM(1.0f));                                                         \
    return old;                                                                          \
  }
HET_STEP(++, __hadd)
HET_STEP(--, __hsub)
#undef HET_STEP
HET_F HET_T operator+(const HET_T &a) { return a; }
HET_F HET_T operator-(const HET_T &a) { return __hneg(a); }
#endif // HET_OPERATORS
