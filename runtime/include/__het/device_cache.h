// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with a cache hint: __ldg, __ldcg, __ldca, __ldcs, __ldlu,
// __ldcv, __stwb, __stcg, __stcs, __stwt.
//
// A hint changes no value, except that __ldcv and __stwt go to memory each
// time, which volatile says. __ldcs and __stcs (used once) are non-temporal.

#ifndef HET_DEVICE_CACHE_H
#define HET_DEVICE_CACHE_H

#include "../vector_types.h"

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

#define HET_CACHE_SCALAR(type)                                                           \
  HET_CACHE_PLAIN(type)                                                                  \
  HET_INLINE type __ldcs(const type *p) { return __builtin_nontemporal_load(p); }        \
  HET_INLINE type __ldcv(const type *p) { return *(const volatile type *)p; }            \
  HET_INLINE void __stcs(type *p, type v) { __builtin_nontemporal_store(v, p); }         \
  HET_INLINE void __stwt(type *p, type v) { *(volatile type *)p = v; }
#define HET_CACHE_PLAIN(type)                                                            \
  HET_INLINE type __ldg(const type *p) { return *p; }                                    \
  HET_INLINE type __ldca(const type *p) { return *p; }                                   \
  HET_INLINE type __ldcg(const type *p) { return *p; }                                   \
  HET_INLINE type __ldlu(const type *p) { return *p; }                                   \
  HET_INLINE void __stwb(type *p, type v) { *p = v; }                                    \
  HET_INLINE void __stcg(type *p, type v) { *p = v; }
// Structures are copied through the vector of the same layout.
#define HET_CACHE_VECTOR(type, scalar, n)                                                \
  HET_CACHE_PLAIN(type)                                                                  \
  HET_INLINE type __ldcs(const type *p) {                                                \
    typedef scalar vector __attribute__((ext_vector_type(n)));                           \
    return __builtin_bit_cast(type, __builtin_nontemporal_load((const vector *)p));      \
  }                                                                                      \
  HET_INLINE type __ldcv(const type *p) {                                                \
    typedef scalar vector __attribute__((ext_vector_type(n)));                           \
    return __builtin_bit_cast(type, *(const volatile vector *)p);                        \
  }                                                                                      \
  HET_INLINE void __stcs(type *p, type v) {                                              \
    typedef scalar vector __attribute__((ext_vector_type(n)));                           \
    __builtin_nontemporal_store(__builtin_bit_cast(vector, v), (vector *)p);             \
  }                                                                                      \
  HET_INLINE void __stwt(type *p, type v) {                                              \
    typedef scalar vector __attribute__((ext_vector_type(n)));                           \
    *(volatile vector *)p = __builtin_bit_cast(vector, v);                               \
  }

HET_CACHE_SCALAR(char)
HET_CACHE_SCALAR(signed char)
HET_CACHE_SCALAR(unsigned char)
HET_CACHE_SCALAR(short)
HET_CACHE_SCALAR(unsigned short)
HET_CACHE_SCALAR(int)
HET_CACHE_SCALAR(unsigned int)
HET_CACHE_SCALAR(long)
HET_CACHE_SCALAR(unsigned long)
HET_CACHE_SCALAR(long long)
HET_CACHE_SCALAR(unsigned long long)
HET_CACHE_SCALAR(float)
HET_CACHE_SCALAR(double)
HET_CACHE_VECTOR(char2, signed char, 2)
HET_CACHE_VECTOR(char4, signed char, 4)
HET_CACHE_VECTOR(uchar2, unsigned char, 2)
HET_CACHE_VECTOR(uchar4, unsigned char, 4)
HET_CACHE_VECTOR(short2, short, 2)
HET_CACHE_VECTOR(short4, short, 4)
HET_CACHE_VECTOR(ushort2, unsigned short, 2)
HET_CACHE_VECTOR(ushort4, unsigned short, 4)
HET_CACHE_VECTOR(int2, int, 2)
HET_CACHE_VECTOR(int4, int, 4)
HET_CACHE_VECTOR(uint2, unsigned int, 2)
HET_CACHE_VECTOR(uint4, unsigned int, 4)
HET_CACHE_VECTOR(longlong2, long long, 2)
HET_CACHE_VECTOR(ulonglong2, unsigned long long, 2)
HET_CACHE_VECTOR(float2, float, 2)
HET_CACHE_VECTOR(float4, float, 4)
HET_CACHE_VECTOR(double2, double, 2)
#undef HET_CACHE_VECTOR
#undef HET_CACHE_SCALAR
#undef HET_CACHE_PLAIN

// What the accesses through a pointer are said to be like is a hint, too.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HET_INLINE void *__nv_associate_access_property(const void *p, unsigned long long) {
  return (void *)p;
}
#endif
#undef HET_INLINE

#endif // HET_DEVICE_CACHE_H
