// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point of 8 bits: e4m3 and e5m2 (IEEE-like, the first without infinities), and
// e8m0, powers of two. They are converted, and computed with in other types.

#ifndef HET_CUDA_FP8_H
#define HET_CUDA_FP8_H
#define __CUDA_FP8_H__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include "vector_types.h"

#define HET_F static __host__ __device__ __inline__ __attribute__((always_inline, unused))

#include "__het/fp8_convert.h"

#define HET_NARROW_STORAGE(suffix) __nv_fp8##suffix##_storage_t
#define HET_NARROW_STEP 8

#define HET_NARROW_ENCODE(x) __het_fp8_encode(x, __NV_E4M3)
#define HET_NARROW_PAIR(low, high) __het_fp8_encode(low, high, __NV_E4M3)
#define HET_NARROW_INTEGER(i) (float)(i) // inexact ones are too large
#define HET_NARROW_DECODE(bits) __het_fp8_value(bits, __NV_E4M3)
#define HET_NARROW(suffix) __nv_fp8##suffix##_e4m3
#include "__het/narrow_float_type.h"

#define HET_NARROW_ENCODE(x) __het_fp8_encode(x, __NV_E5M2)
#define HET_NARROW_PAIR(low, high) __het_fp8_encode(low, high, __NV_E5M2)
#define HET_NARROW_INTEGER(i) (float)(i) // inexact ones are too large
#define HET_NARROW_DECODE(bits) __het_fp8_value(bits, __NV_E5M2)
#define HET_NARROW(suffix) __nv_fp8##suffix##_e5m2
#include "__het/narrow_float_type.h"

#define HET_NARROW_ENCODE(d) __nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundPosInf)
#define HET_NARROW_DECODE(bits) __het_e8m0_value(bits)
#define HET_NARROW(suffix) __nv_fp8##suffix##_e8m0
#include "__het/narrow_float_type.h"

#undef HET_NARROW_STORAGE
#undef HET_NARROW_STEP
#undef HET_F

#endif // __cplusplus

#endif // HET_CUDA_FP8_H
