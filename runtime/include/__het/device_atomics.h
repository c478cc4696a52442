// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd and its family, with device, block (…_block) and system (…_system)
// scope. All are relaxed and become LLVM's atomic instructions.

#ifndef HET_DEVICE_ATOMICS_H
#define HET_DEVICE_ATOMICS_H

#include "../crt/host_defines.h"

#define HET_INLINE                                                             \
  static __device__ __inline__ __attribute__((always_inline, unused))

#define HET_FETCH(cuda, op, type)                                              \
  HET_FETCH_SCOPED(cuda, op, type, DEVICE)                                     \
  HET_FETCH_SCOPED(cuda##_block, op, type, WRKGRP)                             \
  HET_FETCH_SCOPED(cuda##_system, op, type, SYSTEM)
#define HET_FETCH_SCOPED(cuda, op, type, scope)                                \
  HET_INLINE type cuda(type *address, type value) {                            \
    return __scoped_atomic_##op(address, value, __ATOMIC_RELAXED,              \
                                __MEMORY_SCOPE_##scope);                       \
  }

HET_FETCH(atomicAdd, fetch_add, int)
HET_FETCH(atomicAdd, fetch_add, unsigned int)
HET_FETCH(atomicAdd, fetch_add, unsigned long long)
HET_FETCH(atomicAdd, fetch_add, float)
HET_FETCH(atomicAdd, fetch_add, double)
HET_FETCH(atomicSub, fetch_sub, int)
HET_FETCH(atomicSub, fetch_sub, unsigned int)
HET_FETCH(atomicExch, exchange_n, int)
HET_FETCH(atomicExch, exchange_n, unsigned int)
HET_FETCH(atomicExch, exchange_n, unsigned long long)
#define HET_ORDERED(type)                                                      \
  HET_FETCH(atomicMin, fetch_min, type)                                        \
  HET_FETCH(atomicMax, fetch_max, type)
HET_ORDERED(int)
HET_ORDERED(unsigned int)
HET_ORDERED(long long)
HET_ORDERED(unsigned long long)
#undef HET_ORDERED
#define HET_BITWISE(type)                                                      \
  HET_FETCH(atomicAnd, fetch_and, type)                                        \
  HET_FETCH(atomicOr, fetch_or, type)                                          \
  HET_FETCH(atomicXor, fetch_xor, type)
HET_BITWISE(int)
HET_BITWISE(unsigned int)
HET_BITWISE(unsigned long long)
#undef HET_BITWISE
#undef HET_FETCH
#undef HET_FETCH_SCOPED

#define HET_SCOPES(define)                                                     \
  define(, DEVICE) define(_block, WRKGRP) define(_system, SYSTEM)

// Clang exchanges integers only by value; a float travels as its bits.
#define HET_EXCHANGE_FLOAT(suffix, scope)                                      \
  HET_INLINE float atomicExch##suffix(float *address, float value) {           \
    return __builtin_bit_cast(                                                 \
        float, __scoped_atomic_exchange_n((unsigned int *)address,             \
                                          __builtin_bit_cast(unsigned, value), \
                                          __ATOMIC_RELAXED,                    \
                                          __MEMORY_SCOPE_##scope));            \
  }
HET_SCOPES(HET_EXCHANGE_FLOAT)
#undef HET_EXCHANGE_FLOAT

#define HET_COMPARE_AND_SWAP(type, suffix, scope)                              \
  HET_INLINE type atomicCAS##suffix(type *address, type expected,              \
                                    type value) {                              \
    __scoped_atomic_compare_exchange_n(address, &expected, value, false,       \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       __MEMORY_SCOPE_##scope);                \
    return expected;                                                           \
  }
#define HET_CAS_INT(suffix, scope) HET_COMPARE_AND_SWAP(int, suffix, scope)
#define HET_CAS_UINT(suffix, scope)                                            \
  HET_COMPARE_AND_SWAP(unsigned int, suffix, scope)
#define HET_CAS_ULL(suffix, scope)                                             \
  HET_COMPARE_AND_SWAP(unsigned long long, suffix, scope)
#define HET_CAS_SHORT(suffix, scope)                                           \
  HET_COMPARE_AND_SWAP(unsigned short, suffix, scope)
HET_SCOPES(HET_CAS_INT)
HET_SCOPES(HET_CAS_UINT)
HET_SCOPES(HET_CAS_ULL)
HET_SCOPES(HET_CAS_SHORT)
#undef HET_CAS_INT
#undef HET_CAS_UINT
#undef HET_CAS_ULL
#undef HET_CAS_SHORT
#undef HET_COMPARE_AND_SWAP

// Wrapping counters: inc goes from value to 0, dec from 0 (or above) to value.
#define HET_COUNTERS(suffix, scope)                                            \
  HET_INLINE unsigned int atomicInc##suffix(unsigned int *address,             \
                                            unsigned int value) {              \
    return __nvvm_atom_inc_gen_ui(address, value);                             \
  }                                                                            \
  HET_INLINE unsigned int atomicDec##suffix(unsigned int *address,             \
                                            unsigned int value) {              \
    return __nvvm_atom_dec_gen_ui(address, value);                             \
  }
HET_SCOPES(HET_COUNTERS)
#undef HET_COUNTERS
#undef HET_SCOPES

#undef HET_INLINE

#endif // HET_DEVICE_ATOMICS_H
