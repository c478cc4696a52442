// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __nv_bfloat16 and __nv_bfloat162: the upper half of a float. A host compiler
// has the types, their conversions and operators too; C has the bits alone.

#ifndef HET_CUDA_BF16_H
#define HET_CUDA_BF16_H
#define __CUDA_BF16_H__

#include "cuda_fp16.h"

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)

#define HET_T __nv_bfloat16
#define HET_T2 __nv_bfloat162
#define HET_RAW_T __nv_bfloat16_raw
#define HET_RAW_T2 __nv_bfloat162_raw
#define HET_ENCODE(f) __het_bfloat_bits(f)
#define HET_DECODE(bits) __het_bfloat_value(bits)
#define HET_NAMED(prefix, suffix) prefix##bfloat16##suffix
#define HET_SPREAD __bfloat162bfloat162
#define HET_INFINITY 0x7f80
#define HET_DEVICE_FMA __nv_fma_bfloat_rn
#define HET_DEVICE(name) __nv_##name##_bfloat
#define HET_DEVICE_FROM(name) __nv_bfloat_from_##name
#define HET_WIDE double
#define HET_FROM_WIDE(d) HET_FROM(__het_odd(d))
#define HET_ATOMICS 1
#define HET_PAIR_ATOMICS 1
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define HET_CONVERSIONS 0
#else
#define HET_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define HET_OPERATORS 0
#else
#define HET_OPERATORS 1
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define HET_PAIR_OPERATORS 0
#else
#define HET_PAIR_OPERATORS 1
#endif
#include "__het/small_float.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#endif // __cplusplus

#endif // HET_CUDA_BF16_H
