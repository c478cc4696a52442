// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and bit functions, and arithmetic with a stated rounding.

#ifndef HET_DEVICE_ARITHMETIC_H
#define HET_DEVICE_ARITHMETIC_H

#include "device_libdevice.h"

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

// Bits
HET_INLINE int __popc(unsigned int x) { return __builtin_popcount(x); }
HET_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
HET_INLINE int __clz(int x) { return __builtin_clzg((unsigned int)x, 32); }
HET_INLINE int __clzll(long long x) { return __builtin_clzg((unsigned long long)x, 64); }
HET_INLINE int __ffs(int x) { return __builtin_ffs(x); }
HET_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
HET_INLINE int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
HET_INLINE int __ffsll(long x) { return __builtin_ffsll(x); }
HET_INLINE int __ffsll(unsigned long x) { return __builtin_ffsll((long)x); }
HET_INLINE int __ffsll(int x) { return __builtin_ffsll(x); }
HET_INLINE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
HET_INLINE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}

// Four bytes picked from the eight of y:x, by bits 0 to 2 of each of four selectors. The
// instruction behind it (prmt) would replicate the byte's sign for bit 3; the function
// does not.
extern "C" HET_PURE unsigned int __nv_byte_perm(unsigned int, unsigned int, unsigned int);
HET_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  return __nv_byte_perm(x, y, s);
}

// Position of the n-th set bit of mask, counted from base upwards or downwards.
HET_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int n) {
  int step = n < 0 ? -1 : 1;
  int left = n == 0 ? 1 : n < 0 ? -n : n;
  if (n == 0)
    return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  for (int i = (int)base; i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && --left == 0)
      return (unsigned int)i;
  return 0xffffffffu;
}

HET_INLINE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi,
                                        unsigned int shift) {
  return __builtin_elementwise_fshl(hi, lo, shift);
}
HET_INLINE unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi,
                                         unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
HET_INLINE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi,
                                        unsigned int shift) {
  return __builtin_elementwise_fshr(hi, lo, shift);
}
HET_INLINE unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi,
                                         unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

// Products and sums
HET_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
HET_INLINE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}
HET_INLINE long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
HET_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HET_INLINE int __mul24(int a, int b) {
  return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
               (unsigned)((int)((unsigned)b << 8) >> 8));
}
HET_INLINE unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
HET_INLINE unsigned int __sad(int a, int b, unsigned int c) {
  return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
HET_INLINE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a < b ? b - a : a - b) + c;
}
HET_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HET_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HET_INLINE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b) >> 1);
}
HET_INLINE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
// The older names of the same operations
HET_INLINE int mulhi(int a, int b) { return __mulhi(a, b); }
HET_INLINE unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
HET_INLINE long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
HET_INLINE unsigned long long umul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
HET_INLINE int mul24(int a, int b) { return __mul24(a, b); }
HET_INLINE unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }

// Dot products of four bytes, and of two halves of a with two bytes of b; programs for
// older architectures define their own.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define HET_DOT(suffix, function, type, first, bytes)                                    \
  extern "C" HET_PURE type __nv_##function(type, type, type);                            \
  HET_INLINE type __##suffix(first a, bytes b, type c) {                                 \
    return __nv_##function(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c); \
  }                                                                                      \
  HET_INLINE type __##suffix(type a, type b, type c) { return __nv_##function(a, b, c); }
HET_DOT(dp4a, dot4_ss, int, char4, char4)
HET_DOT(dp4a, dot4_uu, unsigned int, uchar4, uchar4)
HET_DOT(dp2a_lo, dot2_lo_ss, int, short2, char4)
HET_DOT(dp2a_lo, dot2_lo_uu, unsigned int, ushort2, uchar4)
HET_DOT(dp2a_hi, dot2_hi_ss, int, short2, char4)
HET_DOT(dp2a_hi, dot2_hi_uu, unsigned int, ushort2, uchar4)
#undef HET_DOT
#endif

// Round to nearest is the machine's own arithmetic, kept from being fused; of float's
// division, from being approximated as well.
#define HET_NEAREST(name, type, expression)                                              \
  HET_INLINE type name(type a, type b) {                                                 \
    _Pragma("clang fp contract(off)") return expression;                                 \
  }
HET_NEAREST(__fadd_rn, float, a + b)
HET_NEAREST(__fsub_rn, float, a - b)
HET_NEAREST(__fmul_rn, float, a *b)
HET_NEAREST(__dadd_rn, double, a + b)
HET_NEAREST(__dsub_rn, double, a - b)
HET_NEAREST(__dmul_rn, double, a *b)
HET_NEAREST(__ddiv_rn, double, a / b)
#undef HET_NEAREST
HET_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HET_INLINE double __fma_rn(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
HET_INLINE float __fmaf_ieee_rn(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
extern "C" HET_PURE float __nv_fdiv_rn(float, float);
HET_INLINE float __fdiv_rn(float a, float b) { return __nv_fdiv_rn(a, b); }
HET_INLINE float __frcp_rn(float a) { return __fdiv_rn(1.0f, a); }
HET_INLINE double __drcp_rn(double a) { return __ddiv_rn(1.0, a); }
extern "C" HET_PURE float __nv_fsqrt_rn(float);
HET_INLINE float __fsqrt_rn(float a) { return __nv_fsqrt_rn(a); }
HET_INLINE double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
HET_INLINE float __frsqrt_rn(float a) { return __nv_frsqrt_rn(a); }

// The directed roundings: toward zero, up, down
#define HET_DIRECTED(mode)                                                               \
  extern "C" HET_PURE float __nv_fadd_##mode(float, float);                              \
  extern "C" HET_PURE float __nv_fsub_##mode(float, float);                              \
  extern "C" HET_PURE float __nv_fmul_##mode(float, float);                              \
  extern "C" HET_PURE float __nv_fdiv_##mode(float, float);                              \
  extern "C" HET_PURE float __nv_fmaf_##mode(float, float, float);                       \
  extern "C" HET_PURE float __nv_frcp_##mode(float);                                     \
  extern "C" HET_PURE float __nv_fsqrt_##mode(float);                                    \
  extern "C" HET_PURE double __nv_dadd_##mode(double, double);                           \
  extern "C" HET_PURE double __nv_dsub_##mode(double, double);                           \
  extern "C" HET_PURE double __nv_dmul_##mode(double, double);                           \
  extern "C" HET_PURE double __nv_ddiv_##mode(double, double);                           \
  extern "C" HET_PURE double __nv_fma_##mode(double, double, double);                    \
  extern "C" HET_PURE double __nv_drcp_##mode(double);                                   \
  extern "C" HET_PURE double __nv_dsqrt_##mode(double);                                  \
  HET_INLINE float __fadd_##mode(float a, float b) { return __nv_fadd_##mode(a, b); }    \
  HET_INLINE float __fsub_##mode(float a, float b) { return __nv_fsub_##mode(a, b); }    \
  HET_INLINE float __fmul_##mode(float a, float b) { return __nv_fmul_##mode(a, b); }    \
  HET_INLINE float __fdiv_##mode(float a, float b) { return __nv_fdiv_##mode(a, b); }    \
  HET_INLINE float __fmaf_##mode(float a, float b, float c) {                            \
    return __nv_fmaf_##mode(a, b, c);                                                    \
  }                                                                                      \
  HET_INLINE float __fmaf_ieee_##mode(float a, float b, float c) {                       \
    return __nv_fmaf_##mode(a, b, c);                                                    \
  }                                                                                      \
  HET_INLINE float __frcp_##mode(float a) { return __nv_frcp_##mode(a); }                \
  HET_INLINE float __fsqrt_##mode(float a) { return __nv_fsqrt_##mode(a); }              \
  HET_INLINE double __dadd_##mode(double a, double b) { return __nv_dadd_##mode(a, b); } \
  HET_INLINE double __dsub_##mode(double a, double b) { return __nv_dsub_##mode(a, b); } \
  HET_INLINE double __dmul_##mode(double a, double b) { return __nv_dmul_##mode(a, b); } \
  HET_INLINE double __ddiv_##mode(double a, double b) { return __nv_ddiv_##mode(a, b); } \
  HET_INLINE double __fma_##mode(double a, double b, double c) {                         \
    return __nv_fma_##mode(a, b, c);                                                     \
  }                                                                                      \
  HET_INLINE double __drcp_##mode(double a) { return __nv_drcp_##mode(a); }              \
  HET_INLINE double __dsqrt_##mode(double a) { return __nv_dsqrt_##mode(a); }
HET_DIRECTED(rz)
HET_DIRECTED(ru)
HET_DIRECTED(rd)
#undef HET_DIRECTED

// Approximations, and clamping to [0, 1] with NaN going to 0
HET_INLINE float __sinf(float a) { return __nv_fast_sinf(a); }
HET_INLINE float __tanhf(float a) { return __nv_tanhf(a); }
HET_INLINE float __cosf(float a) { return __nv_fast_cosf(a); }
HET_INLINE float __tanf(float a) { return __nv_fast_tanf(a); }
HET_INLINE void __sincosf(float a, float *s, float *c) { __nv_fast_sincosf(a, s, c); }
HET_INLINE float __expf(float a) { return __nv_fast_expf(a); }
HET_INLINE float __exp10f(float a) { return __nv_fast_exp10f(a); }
HET_INLINE float __logf(float a) { return __nv_fast_logf(a); }
HET_INLINE float __log2f(float a) { return __nv_fast_log2f(a); }
HET_INLINE float __log10f(float a) { return __nv_fast_log10f(a); }
HET_INLINE float __powf(float a, float b) { return __nv_fast_powf(a, b); }
HET_INLINE float __fdividef(float a, float b) { return __nv_fast_fdividef(a, b); }
HET_INLINE float __saturatef(float a) { return __nv_fminf(__nv_fmaxf(a, 0.0f), 1.0f); }
HET_INLINE float saturate(float a) { return __saturatef(a); }

#undef HET_INLINE

#endif // HET_DEVICE_ARITHMETIC_H
