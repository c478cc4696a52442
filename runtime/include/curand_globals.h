// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and types that cuRAND's device headers share. They are for C++, and what
// calls functions of math for code of kernels; to a host compiler they give the states.

#ifndef HET_CURAND_GLOBALS_H
#define HET_CURAND_GLOBALS_H

#include "cuda_runtime.h"

// A program may define it, to have the functions on the host too.
#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

// 2^-32 and 2^-53, and 2^-32 of a circle.
#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
#define CURAND_2PI (6.2831855f)
#define CURAND_SQRT2 (-1.4142135f)
#define CURAND_SQRT2_DOUBLE (-1.4142135623730951)

// Whether a state holds the second of two normal numbers.
#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#endif // HET_CURAND_GLOBALS_H
