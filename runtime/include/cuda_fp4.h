// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point of 4 bits, e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. It is
// converted, and computed with in other types.

#ifndef HET_CUDA_FP4_H
#define HET_CUDA_FP4_H
#define __CUDA_FP4_H__

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short int __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#if defined(__cplusplus)

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include "vector_types.h"

#define HET_F static __host__ __device__ __inline__ __attribute__((always_inline, unused))

#include "__het/narrow_float_code.h"

#define HET_NARROW_NAME fp4
#define HET_NARROW_WIDTH 4
#define HET_NARROW_DIGITS(format) 1
#define HET_NARROW_STEP 4
#include "__het/narrow_float_convert.h"

#define HET_NARROW_STORAGE(suffix) __nv_fp4##suffix##_storage_t
#define HET_NARROW_ENCODE(d) __nv_cvt_double_to_fp4(d, __NV_E2M1, cudaRoundNearest)
#define HET_NARROW_DECODE(bits) __het_fp4_value(bits, __NV_E2M1)
#define HET_NARROW(suffix) __nv_fp4##suffix##_e2m1
#include "__het/narrow_float_type.h"

#undef HET_NARROW_NAME
#undef HET_NARROW_WIDTH
#undef HET_NARROW_DIGITS
#undef HET_NARROW_STEP
#undef HET_NARROW_STORAGE
#undef HET_F

#endif // __cplusplus

#endif // HET_CUDA_FP4_H
