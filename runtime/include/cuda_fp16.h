// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __half and __half2: half precision. A host compiler has the types, their
// conversions and operators too; C has the bits alone.

#ifndef HET_CUDA_FP16_H
#define HET_CUDA_FP16_H
#define __CUDA_FP16_H__

#include "vector_functions.h"

// What is there with CUDA's, for compilers of host code.
#ifndef __CUDACC_RTC__
#include <limits.h>
#ifdef __cplusplus
#include <cstring>
#include <utility>
#endif
#endif

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)
#include "__het/small_float_bits.h"

#define HET_T __half
#define HET_T2 __half2
#define HET_RAW_T __half_raw
#define HET_RAW_T2 __half2_raw
#define HET_ENCODE(f) __het_half_bits(f)
#define HET_DECODE(bits) __het_half_value(bits)
#define HET_NAMED(prefix, suffix) prefix##half##suffix
#define HET_SPREAD __half2half2
#define HET_INFINITY 0x7c00
#define HET_DEVICE_FMA __nv_fma_half_rn
#define HET_DEVICE(name) __nv_##name##_half
#define HET_DEVICE_FROM(name) __nv_half_from_##name
#define HET_WIDE float
#define HET_FROM_WIDE(f) HET_FROM(f)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define HET_ATOMICS 1
#else
#define HET_ATOMICS 0
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define HET_PAIR_ATOMICS 1
#else
#define HET_PAIR_ATOMICS 0
#endif
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define HET_CONVERSIONS 0
#else
#define HET_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define HET_OPERATORS 0
#else
#define HET_OPERATORS 1
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
#define HET_PAIR_OPERATORS 0
#else
#define HET_PAIR_OPERATORS 1
#endif
#include "__het/small_float.h"

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
#endif
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#endif // __cplusplus

#endif // HET_CUDA_FP16_H
