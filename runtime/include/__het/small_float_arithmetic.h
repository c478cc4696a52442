// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of a 16-bit floating type, and its operators.

#if !defined(HET_F)
#error "__het/small_float_arithmetic.h is a part of __het/small_float.h"
#endif

// Functions of the device library, which pass values as their bits
#if defined(__CUDA_ARCH__)
#define HET_LIBRARY_2(name)                                                              \
  extern "C" __device__ __attribute__((const, nothrow)) unsigned short HET_DEVICE(name)( \
      unsigned short, unsigned short);
HET_LIBRARY_2(max)
HET_LIBRARY_2(min)
HET_LIBRARY_2(max_nan)
HET_LIBRARY_2(min_nan)
#undef HET_LIBRARY_2
extern "C" __device__ __attribute__((const, nothrow)) unsigned short
HET_DEVICE_FMA(unsigned short, unsigned short, unsigned short);
#endif

// Clamped to [0, 1]; NaN becomes 0.
HET_F HET_T __het_saturate(const HET_T a) {
#if defined(__CUDA_ARCH__)
  return HET_BITS(HET_DEVICE(min)(HET_DEVICE(max)(a.__x, 0), HET_ENCODE(1.0f)));
#else
  float f = HET_TO(a);
  return HET_FROM(!(f > 0.0f) ? 0.0f : f > 1.0f ? 1.0f : f);
#endif
}

// Each is also there saturated; nothing fuses the `_rn` form of a sum or a product.
#if defined(__CUDA__)
#define HET_UNFUSED _Pragma("clang fp contract(off)")
#else
#define HET_UNFUSED
#endif
#define HET_ARITHMETIC_FORM(name, unfused, result)                                       \
  HET_F HET_T name(const HET_T a, const HET_T b) {                                       \
    unfused float x = HET_TO(a), y = HET_TO(b);                                          \
    return HET_FROM(result);                                                             \
  }
#define HET_ARITHMETIC(name, result)                                                     \
  HET_ARITHMETIC_FORM(name, , result)                                                    \
  HET_ARITHMETIC_FORM(name##_rn, HET_UNFUSED, result)                                    \
  HET_F HET_T name##_sat(const HET_T a, const HET_T b) {                                 \
    return __het_saturate(name(a, b));                                                   \
  }
HET_ARITHMETIC(__hadd, x + y)
HET_ARITHMETIC(__hsub, x - y)
HET_ARITHMETIC(__hmul, (x * y))
#if defined(__CUDA_ARCH__) // whatever the precision of float's operator
HET_ARITHMETIC_FORM(__hdiv, , __fdiv_rn(x, y))
#else
HET_ARITHMETIC_FORM(__hdiv, , x / y)
#endif
#undef HET_ARITHMETIC
#undef HET_ARITHMETIC_FORM
#undef HET_UNFUSED

HET_F HET_T __hneg(const HET_T a) { return HET_BITS((unsigned short)(a.__x ^ 0x8000)); }
HET_F HET_T __habs(const HET_T a) { return HET_BITS((unsigned short)(a.__x & 0x7fff)); }
#if defined(__CUDA_ARCH__)
HET_F HET_T __hfma(const HET_T a, const HET_T b, const HET_T c) {
  return HET_BITS(HET_DEVICE_FMA(a.__x, b.__x, c.__x));
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
