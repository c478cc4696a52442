// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point of 6 bits, e2m3 and e3m2, in bytes. It is converted, and computed with
// in other types.

#ifndef HET_CUDA_FP6_H
#define HET_CUDA_FP6_H
#define __CUDA_FP6_H__

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short int __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus)

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include "vector_types.h"

#define HET_F static __host__ __device__ __inline__ __attribute__((always_inline, unused))

#include "__het/narrow_float_code.h"

#define HET_NARROW_NAME fp6
#define HET_NARROW_WIDTH 6
#define HET_NARROW_DIGITS(format) ((format) == __NV_E2M3 ? 3 : 2)
#define HET_NARROW_STEP 8
#include "__het/narrow_float_convert.h"

#define HET_NARROW_STORAGE(suffix) __nv_fp6##suffix##_storage_t
#define HET_NARROW_ENCODE(d) __nv_cvt_double_to_fp6(d, __NV_E2M3, cudaRoundNearest)
#define HET_NARROW_DECODE(bits) __het_fp6_value(bits, __NV_E2M3)
#define HET_NARROW(suffix) __nv_fp6##suffix##_e2m3
#include "__het/narrow_float_type.h"

#define HET_NARROW_ENCODE(d) __nv_cvt_double_to_fp6(d, __NV_E3M2, cudaRoundNearest)
#define HET_NARROW_DECODE(bits) __het_fp6_value(bits, __NV_E3M2)
#define HET_NARROW(suffix) __nv_fp6##suffix##_e3m2
#include "__het/narrow_float_type.h"

#undef HET_NARROW_NAME
#undef HET_NARROW_WIDTH
#undef HET_NARROW_DIGITS
#undef HET_NARROW_STEP
#undef HET_NARROW_STORAGE
#undef HET_F

#endif // __cplusplus

#endif // HET_CUDA_FP6_H
