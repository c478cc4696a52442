// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a 16-bit floating type and of its pair. Included once for
// __half and once for __nv_bfloat16, which overload the same names, with
//   HET_T, HET_T2     the type and its pair
//   HET_FROM(float)   rounds to nearest;  HET_TO(x)  widens, exactly
//
// An operation is made in float and rounded once more. Float has more than
// twice the digits of either type, so sums, products, quotients and roots come
// out correctly rounded; products that are added to are made in double.

#if !defined(HET_T) || !defined(HET_T2)
#error "__het/small_float.h is a part of cuda_fp16.h and cuda_bf16.h"
#endif

#define HET_F                                                                  \
  static __host__ __device__ __inline__ __attribute__((always_inline, unused))

// Arithmetic
#define HET_ARITHMETIC(name, op)                                               \
  HET_F HET_T name(const HET_T a, const HET_T b) {                             \
    return HET_FROM(HET_TO(a) op HET_TO(b));                                   \
  }                                                                            \
  HET_F HET_T name##_rn(const HET_T a, const HET_T b) { return name(a, b); }   \
  HET_F HET_T operator op(const HET_T &a, const HET_T &b) {                    \
    return name(a, b);                                                         \
  }                                                                            \
  HET_F HET_T &operator op## = (HET_T & a, const HET_T &b) {                   \
    return a = name(a, b);                                                     \
  }                                                                            \
  HET_F HET_T2 operator op(const HET_T2 &a, const HET_T2 &b) {                 \
    return HET_T2(name(a.x, b.x), name(a.y, b.y));                             \
  }                                                                            \
  HET_F HET_T2 &operator op## = (HET_T2 & a, const HET_T2 &b) {                \
    return a = a op b;                                                         \
  }
HET_ARITHMETIC(__hadd, +)
HET_ARITHMETIC(__hsub, -)
HET_ARITHMETIC(__hmul, *)
HET_ARITHMETIC(__hdiv, /)
#undef HET_ARITHMETIC
HET_F HET_T __hneg(const HET_T a) { return HET_FROM(-HET_TO(a)); }
HET_F HET_T __habs(const HET_T a) {
  return HET_FROM(__builtin_fabsf(HET_TO(a)));
}
HET_F HET_T __hfma(const HET_T a, const HET_T b, const HET_T c) {
  return HET_FROM_DOUBLE((double)HET_TO(a) * HET_TO(b) + HET_TO(c));
}
HET_F float __het_clamp01(HET_T a) {
  return ::min(::max(HET_TO(a), 0.0f), 1.0f);
}
HET_F HET_T __hadd_sat(const HET_T a, const HET_T b) {
  return HET_FROM(__het_clamp01(__hadd(a, b)));
}
HET_F HET_T __hsub_sat(const HET_T a, const HET_T b) {
  return HET_FROM(__het_clamp01(__hsub(a, b)));
}
HET_F HET_T __hmul_sat(const HET_T a, const HET_T b) {
  return HET_FROM(__het_clamp01(__hmul(a, b)));
}
HET_F HET_T __hfma_relu(const HET_T a, const HET_T b, const HET_T c) {
  return HET_FROM(::max(HET_TO(__hfma(a, b, c)), 0.0f));
}
HET_F HET_T __hmax(const HET_T a, const HET_T b) {
  return HET_FROM(::max(HET_TO(a), HET_TO(b)));
}
HET_F HET_T __hmin(const HET_T a, const HET_T b) {
  return HET_FROM(::min(HET_TO(a), HET_TO(b)));
}
HET_F bool __hisnan(const HET_T a) { return __builtin_isnan(HET_TO(a)); }
HET_F int __hisinf(const HET_T a) {
  return __builtin_isinf(HET_TO(a)) ? (HET_TO(a) < 0 ? -1 : 1) : 0;
}
HET_F HET_T operator+(const HET_T &a) { return a; }
HET_F HET_T operator-(const HET_T &a) { return __hneg(a); }
HET_F HET_T &operator++(HET_T &a) { return a = HET_FROM(HET_TO(a) + 1.0f); }
HET_F HET_T &operator--(HET_T &a) { return a = HET_FROM(HET_TO(a) - 1.0f); }
HET_F HET_T2 operator-(const HET_T2 &a) {
  return HET_T2(__hneg(a.x), __hneg(a.y));
}

// Pairs
#define HET_PAIR_2(name, of)                                                   \
  HET_F HET_T2 name(const HET_T2 a, const HET_T2 b) {                          \
    return HET_T2(of(a.x, b.x), of(a.y, b.y));                                 \
  }
HET_PAIR_2(__hadd2, __hadd)
HET_PAIR_2(__hsub2, __hsub)
HET_PAIR_2(__hmul2, __hmul)
HET_PAIR_2(__h2div, __hdiv)
HET_PAIR_2(__hadd2_rn, __hadd)
HET_PAIR_2(__hsub2_rn, __hsub)
HET_PAIR_2(__hmul2_rn, __hmul)
HET_PAIR_2(__hadd2_sat, __hadd_sat)
HET_PAIR_2(__hsub2_sat, __hsub_sat)
HET_PAIR_2(__hmul2_sat, __hmul_sat)
HET_PAIR_2(__hmax2, __hmax)
HET_PAIR_2(__hmin2, __hmin)
#undef HET_PAIR_2
HET_F HET_T2 __hneg2(const HET_T2 a) { return -a; }
HET_F HET_T2 __habs2(const HET_T2 a) {
  return HET_T2(__habs(a.x), __habs(a.y));
}
HET_F HET_T2 __hfma2(const HET_T2 a, const HET_T2 b, const HET_T2 c) {
  return HET_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

// Comparisons: ordered, and (…u) unordered
#define HET_COMPARE(name, op)                                                  \
  HET_F bool __h##name(const HET_T a, const HET_T b) {                         \
    return HET_TO(a) op HET_TO(b);                                             \
  }                                                                            \
  HET_F bool __h##name##u(const HET_T a, const HET_T b) {                      \
    return __hisnan(a) || __hisnan(b) || HET_TO(a) op HET_TO(b);               \
  }                                                                            \
  HET_F bool operator op(const HET_T &a, const HET_T &b) {                     \
    return HET_TO(a) op HET_TO(b);                                             \
  }                                                                            \
  HET_F HET_T2 __h##name##2(const HET_T2 a, const HET_T2 b) {                  \
    return HET_T2(HET_FROM(__h##name(a.x, b.x)),                               \
                  HET_FROM(__h##name(a.y, b.y)));                              \
  }                                                                            \
  HET_F bool __hb##name##2(const HET_T2 a, const HET_T2 b) {                   \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                         \
  }
HET_COMPARE(eq, ==)
HET_COMPARE(ne, !=)
HET_COMPARE(lt, <)
HET_COMPARE(le, <=)
HET_COMPARE(gt, >)
HET_COMPARE(ge, >=)
#undef HET_COMPARE

// Functions, made in float
#define HET_FUNCTION(name, expression)                                         \
  static __device__ __inline__ HET_T h##name(const HET_T a) {                  \
    float x = HET_TO(a);                                                       \
    return HET_FROM(expression);                                               \
  }                                                                            \
  static __device__ __inline__ HET_T2 h2##name(const HET_T2 a) {               \
    return HET_T2(h##name(a.x), h##name(a.y));                                 \
  }
HET_FUNCTION(sqrt, ::sqrtf(x))
HET_FUNCTION(rsqrt, ::rsqrtf(x))
HET_FUNCTION(rcp, 1.0f / x)
HET_FUNCTION(exp, ::expf(x))
HET_FUNCTION(exp2, ::exp2f(x))
HET_FUNCTION(exp10, ::exp10f(x))
HET_FUNCTION(log, ::logf(x))
HET_FUNCTION(log2, ::log2f(x))
HET_FUNCTION(log10, ::log10f(x))
HET_FUNCTION(sin, ::sinf(x))
HET_FUNCTION(cos, ::cosf(x))
HET_FUNCTION(tanh, ::tanhf(x))
HET_FUNCTION(ceil, ::ceilf(x))
HET_FUNCTION(floor, ::floorf(x))
HET_FUNCTION(trunc, ::truncf(x))
HET_FUNCTION(rint, ::rintf(x))
#undef HET_FUNCTION

// Between lanes, through caches, atomically
#define HET_D                                                                  \
  static __device__ __inline__ __attribute__((always_inline, unused))
#define HET_SHUFFLE(name, offset)                                              \
  HET_D HET_T name(unsigned mask, HET_T v, offset by, int width = warpSize) {  \
    unsigned bits = __builtin_bit_cast(unsigned short, v);                     \
    return __builtin_bit_cast(HET_T,                                           \
                              (unsigned short)name(mask, bits, by, width));    \
  }                                                                            \
  HET_D HET_T2 name(unsigned mask, HET_T2 v, offset by,                        \
                    int width = warpSize) {                                    \
    return __builtin_bit_cast(                                                 \
        HET_T2, name(mask, __builtin_bit_cast(unsigned, v), by, width));       \
  }
HET_SHUFFLE(__shfl_sync, int)
HET_SHUFFLE(__shfl_up_sync, unsigned int)
HET_SHUFFLE(__shfl_down_sync, unsigned int)
HET_SHUFFLE(__shfl_xor_sync, int)
#undef HET_SHUFFLE
#define HET_CACHE(name)                                                        \
  HET_D HET_T name(const HET_T *p) { return *p; }                              \
  HET_D HET_T2 name(const HET_T2 *p) { return *p; }
HET_CACHE(__ldg)
HET_CACHE(__ldcg)
HET_CACHE(__ldca)
HET_CACHE(__ldcs)
#undef HET_CACHE
#define HET_STORE(name)                                                        \
  HET_D void name(HET_T *p, HET_T v) { *p = v; }                               \
  HET_D void name(HET_T2 *p, HET_T2 v) { *p = v; }
HET_STORE(__stcg)
HET_STORE(__stcs)
HET_STORE(__stwb)
#undef HET_STORE
HET_D HET_T atomicAdd(HET_T *address, HET_T value) {
  unsigned short *bits = (unsigned short *)address;
  unsigned short old = *bits, seen;
  do {
    seen = old;
    HET_T sum = __hadd(__builtin_bit_cast(HET_T, seen), value);
    old = atomicCAS(bits, seen, __builtin_bit_cast(unsigned short, sum));
  } while (old != seen);
  return __builtin_bit_cast(HET_T, old);
}
HET_D HET_T2 atomicAdd(HET_T2 *address, HET_T2 value) {
  HET_T *parts = (HET_T *)address;
  return HET_T2(atomicAdd(parts, value.x), atomicAdd(parts + 1, value.y));
}
#undef HET_D
#undef HET_F
