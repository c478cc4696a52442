// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd and its family, with device, block (…_block) and system (…_system)
// scope. All are relaxed and become LLVM's atomic instructions. What CUDA declares from
// some architecture on, programs define themselves below it.

#ifndef HET_DEVICE_ATOMICS_H
#define HET_DEVICE_ATOMICS_H

#include "../crt/host_defines.h"
#include "../vector_functions.h"

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

#define HET_FETCH(cuda, op, type)                                                        \
  HET_FETCH_SCOPED(cuda, op, type, DEVICE)                                               \
  HET_FETCH_SCOPED(cuda##_block, op, type, WRKGRP)                                       \
  HET_FETCH_SCOPED(cuda##_system, op, type, SYSTEM)
#define HET_FETCH_SCOPED(cuda, op, type, scope)                                          \
  HET_INLINE type cuda(type *address, type value) {                                      \
    return __scoped_atomic_##op(address, value, __ATOMIC_RELAXED,                        \
                                __MEMORY_SCOPE_##scope);                                 \
  }

HET_FETCH(atomicAdd, fetch_add, int)
HET_FETCH(atomicAdd, fetch_add, unsigned int)
HET_FETCH(atomicAdd, fetch_add, unsigned long long)
HET_FETCH(atomicAdd, fetch_add, float)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
HET_FETCH(atomicAdd, fetch_add, double)
#endif
HET_FETCH(atomicSub, fetch_sub, int)
HET_FETCH(atomicSub, fetch_sub, unsigned int)
HET_FETCH(atomicExch, exchange_n, int)
HET_FETCH(atomicExch, exchange_n, unsigned int)
HET_FETCH(atomicExch, exchange_n, unsigned long long)
#define HET_ORDERED(type)                                                                \
  HET_FETCH(atomicMin, fetch_min, type)                                                  \
  HET_FETCH(atomicMax, fetch_max, type)
HET_ORDERED(int)
HET_ORDERED(unsigned int)
HET_ORDERED(long long)
HET_ORDERED(unsigned long long)
#undef HET_ORDERED
#define HET_BITWISE(type)                                                                \
  HET_FETCH(atomicAnd, fetch_and, type)                                                  \
  HET_FETCH(atomicOr, fetch_or, type)                                                    \
  HET_FETCH(atomicXor, fetch_xor, type)
HET_BITWISE(int)
HET_BITWISE(unsigned int)
HET_BITWISE(unsigned long long)
#undef HET_BITWISE
#undef HET_FETCH
#undef HET_FETCH_SCOPED

#define HET_SCOPES(define) define(, DEVICE) define(_block, WRKGRP) define(_system, SYSTEM)

// Clang exchanges integers only by value; a float travels as its bits.
#define HET_EXCHANGE_FLOAT(suffix, scope)                                                \
  HET_INLINE float atomicExch##suffix(float *address, float value) {                     \
    return __builtin_bit_cast(                                                           \
        float, __scoped_atomic_exchange_n((unsigned int *)address,                       \
                                          __builtin_bit_cast(unsigned, value),           \
                                          __ATOMIC_RELAXED, __MEMORY_SCOPE_##scope));    \
  }
HET_SCOPES(HET_EXCHANGE_FLOAT)
#undef HET_EXCHANGE_FLOAT

// Each element of a vector by itself
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HET_ADD_VECTOR(suffix, scope)                                                    \
  HET_INLINE float2 atomicAdd##suffix(float2 *address, float2 value) {                   \
    return make_float2(atomicAdd##suffix(&address->x, value.x),                          \
                       atomicAdd##suffix(&address->y, value.y));                         \
  }                                                                                      \
  HET_INLINE float4 atomicAdd##suffix(float4 *address, float4 value) {                   \
    return make_float4(atomicAdd##suffix(&address->x, value.x),                          \
                       atomicAdd##suffix(&address->y, value.y),                          \
                       atomicAdd##suffix(&address->z, value.z),                          \
                       atomicAdd##suffix(&address->w, value.w));                         \
  }
HET_SCOPES(HET_ADD_VECTOR)
#undef HET_ADD_VECTOR
#endif

#define HET_COMPARE_AND_SWAP(type, suffix, scope)                                        \
  HET_INLINE type atomicCAS##suffix(type *address, type expected, type value) {          \
    __scoped_atomic_compare_exchange_n(address, &expected, value, false,                 \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,               \
                                       __MEMORY_SCOPE_##scope);                          \
    return expected;                                                                     \
  }
#define HET_CAS_INT(suffix, scope) HET_COMPARE_AND_SWAP(int, suffix, scope)
#define HET_CAS_UINT(suffix, scope) HET_COMPARE_AND_SWAP(unsigned int, suffix, scope)
#define HET_CAS_ULL(suffix, scope) HET_COMPARE_AND_SWAP(unsigned long long, suffix, scope)
#define HET_CAS_SHORT(suffix, scope) HET_COMPARE_AND_SWAP(unsigned short, suffix, scope)
HET_SCOPES(HET_CAS_INT)
HET_SCOPES(HET_CAS_UINT)
HET_SCOPES(HET_CAS_ULL)
HET_SCOPES(HET_CAS_SHORT)
#undef HET_CAS_INT
#undef HET_CAS_UINT
#undef HET_CAS_ULL
#undef HET_CAS_SHORT
#undef HET_COMPARE_AND_SWAP

// 16 bytes: any type of that size and alignment.
extern "C" __device__ unsigned __int128
__nv_het_atomic_exchange_b128(void *address, unsigned __int128 value);
extern "C" __device__ unsigned __int128
__nv_het_atomic_compare_swap_b128(void *address, unsigned __int128 expected,
                                  unsigned __int128 value);
template <bool> struct __het_if;
template <> struct __het_if<true> {
  typedef int type;
};
#define HET_WIDE_ATOMICS(suffix, scope)                                                  \
  template <class T, typename __het_if<sizeof(T) == 16 && alignof(T) >= 16>::type = 0>   \
  HET_INLINE T atomicExch##suffix(T *address, T value) {                                 \
    return __builtin_bit_cast(                                                           \
        T, __nv_het_atomic_exchange_b128((void *)address,                                \
                                         __builtin_bit_cast(unsigned __int128, value))); \
  }                                                                                      \
  template <class T, typename __het_if<sizeof(T) == 16 && alignof(T) >= 16>::type = 0>   \
  HET_INLINE T atomicCAS##suffix(T *address, T expected, T value) {                      \
    return __builtin_bit_cast(T, __nv_het_atomic_compare_swap_b128(                      \
                                     (void *)address,                                    \
                                     __builtin_bit_cast(unsigned __int128, expected),    \
                                     __builtin_bit_cast(unsigned __int128, value)));     \
  }
HET_SCOPES(HET_WIDE_ATOMICS)
#undef HET_WIDE_ATOMICS

// Wrapping counters: inc goes from value to 0, dec from 0 (or above) to value.
#define HET_COUNTERS(suffix, scope)                                                      \
  HET_INLINE unsigned int atomicInc##suffix(unsigned int *address, unsigned int value) { \
    return __nvvm_atom_inc_gen_ui(address, value);                                       \
  }                                                                                      \
  HET_INLINE unsigned int atomicDec##suffix(unsigned int *address, unsigned int value) { \
    return __nvvm_atom_dec_gen_ui(address, value);                                       \
  }
HET_SCOPES(HET_COUNTERS)
#undef HET_COUNTERS
#undef HET_SCOPES

// CUDA 12.8's atomics with an order and a scope
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM
HET_INLINE void __nv_atomic_thread_fence(int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_thread_fence(order, scope);
}
template <class T>
HET_INLINE T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_load_n(p, order, scope);
}
template <class T, class V>
HET_INLINE void __nv_atomic_store_n(T *p, V value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_store_n(p, (T)value, order, scope);
}
template <class T, class V>
HET_INLINE bool __nv_atomic_compare_exchange_n(T *p, T *expected, V value, bool weak,
                                               int success, int failure,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_compare_exchange_n(p, expected, (T)value, weak, success, failure,
                                            scope);
}
#define HET_NV_ATOMIC(op)                                                                \
  template <class T, class V>                                                            \
  HET_INLINE T __nv_atomic_##op(T *p, V value, int order,                                \
                                int scope = __NV_THREAD_SCOPE_SYSTEM) {                  \
    return __scoped_atomic_##op(p, (T)value, order, scope);                              \
  }
HET_NV_ATOMIC(exchange_n)
HET_NV_ATOMIC(fetch_add)
HET_NV_ATOMIC(fetch_sub)
HET_NV_ATOMIC(fetch_and)
HET_NV_ATOMIC(fetch_or)
HET_NV_ATOMIC(fetch_xor)
HET_NV_ATOMIC(fetch_min)
HET_NV_ATOMIC(fetch_max)
#undef HET_NV_ATOMIC

#undef HET_INLINE

#endif // HET_DEVICE_ATOMICS_H
