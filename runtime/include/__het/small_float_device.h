// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a 16-bit floating type that only devices have: mathematical functions,
// shuffles, loads and stores with a cache hint, atomic addition.

#if !defined(HET_F)
#error "__het/small_float_device.h is a part of __het/small_float.h"
#endif

#define HET_D static __device__ __inline__ __attribute__((always_inline, unused))

// Functions, made in float
#define HET_FUNCTION(name, expression)                                                   \
  static __device__ __inline__ HET_T h##name(const HET_T a) {                            \
    float x = HET_TO(a);                                                                 \
    return HET_FROM(expression);                                                         \
  }                                                                                      \
  static __device__ __inline__ HET_T2 h2##name(const HET_T2 a) {                         \
    return HET_T2(h##name(a.x), h##name(a.y));                                           \
  }
HET_FUNCTION(sqrt, ::__fsqrt_rn(x))
HET_FUNCTION(rsqrt, ::rsqrtf(x))
HET_FUNCTION(rcp, ::__fdiv_rn(1.0f, x))
HET_FUNCTION(exp, ::expf(x))
HET_FUNCTION(exp2, ::exp2f(x))
HET_FUNCTION(exp10, ::exp10f(x))
HET_FUNCTION(log, ::logf(x))
HET_FUNCTION(log2, ::log2f(x))
HET_FUNCTION(log10, ::log10f(x))
HET_FUNCTION(sin, ::sinf(x))
HET_FUNCTION(cos, ::cosf(x))
HET_FUNCTION(tanh, ::tanhf(x))
HET_FUNCTION(tanh_approx, ::tanhf(x))
HET_FUNCTION(ceil, ::ceilf(x))
HET_FUNCTION(floor, ::floorf(x))
HET_FUNCTION(trunc, ::truncf(x))
HET_FUNCTION(rint, ::rintf(x))
#undef HET_FUNCTION

// A value travels as its bits.
HET_D unsigned short __het_pack(HET_T v) { return v.__x; }
HET_D unsigned int __het_pack(HET_T2 v) { return __builtin_bit_cast(unsigned int, v); }
#define HET_SHUFFLE_OF(type, bits, name, offset)                                         \
  HET_D type name(unsigned mask, type v, offset by, int width = warpSize) {              \
    unsigned int moved = name(mask, (unsigned int)__het_pack(v), by, width);             \
    return __builtin_bit_cast(type, (bits)moved);                                        \
  }
#define HET_SHUFFLE(name, offset)                                                        \
  HET_SHUFFLE_OF(HET_T, unsigned short, name, offset)                                    \
  HET_SHUFFLE_OF(HET_T2, unsigned int, name, offset)
HET_SHUFFLE(__shfl_sync, int)
HET_SHUFFLE(__shfl_up_sync, unsigned int)
HET_SHUFFLE(__shfl_down_sync, unsigned int)
HET_SHUFFLE(__shfl_xor_sync, int)
#undef HET_SHUFFLE
#undef HET_SHUFFLE_OF

#define HET_LOAD_OF(type, bits, name)                                                    \
  HET_D type name(const type *p) {                                                       \
    return __builtin_bit_cast(type, name((const bits *)p));                              \
  }
#define HET_LOAD(name)                                                                   \
  HET_LOAD_OF(HET_T, unsigned short, name)                                               \
  HET_LOAD_OF(HET_T2, unsigned int, name)
HET_LOAD(__ldg)
HET_LOAD(__ldca)
HET_LOAD(__ldcg)
HET_LOAD(__ldcs)
HET_LOAD(__ldlu)
HET_LOAD(__ldcv)
#undef HET_LOAD
#undef HET_LOAD_OF
#define HET_STORE_OF(type, bits, name)                                                   \
  HET_D void name(type *p, type v) { name((bits *)p, __het_pack(v)); }
#define HET_STORE(name)                                                                  \
  HET_STORE_OF(HET_T, unsigned short, name)                                              \
  HET_STORE_OF(HET_T2, unsigned int, name)
HET_STORE(__stwb)
HET_STORE(__stcg)
HET_STORE(__stcs)
HET_STORE(__stwt)
#undef HET_STORE
#undef HET_STORE_OF

#define HET_ATOMIC_ADD(type, bits, library, suffix)                                      \
  extern "C" __device__ bits HET_DEVICE(library##suffix)(void *, bits);                  \
  HET_D type atomicAdd##suffix(type *address, type value) {                              \
    bits old = HET_DEVICE(library##suffix)(address, __het_pack(value));                  \
    return __builtin_bit_cast(type, old);                                                \
  }
#define HET_ATOMIC_ADDS(type, bits, library)                                             \
  HET_ATOMIC_ADD(type, bits, library, )                                                  \
  HET_ATOMIC_ADD(type, bits, library, _block)                                            \
  HET_ATOMIC_ADD(type, bits, library, _system)
#if HET_ATOMICS
HET_ATOMIC_ADDS(HET_T, unsigned short, het_atomic_add)
#endif
#if HET_PAIR_ATOMICS
HET_ATOMIC_ADDS(HET_T2, unsigned int, het_atomic_add_pair)
#endif
#undef HET_ATOMIC_ADDS
#undef HET_ATOMIC_ADD

#undef HET_D
