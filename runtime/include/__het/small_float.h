// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 16-bit floating type, its pair, and their functions. Included once for
// __half and once for __nv_bfloat16, which overload the same names, with
//   HET_T, HET_T2          the type and its pair
//   HET_RAW_T, HET_RAW_T2  the structures of their bits
//   HET_ENCODE(float)      bits, rounded to nearest; HET_DECODE(bits) widens
//   HET_NAMED(a, b)        a function's name around the type's own
//   HET_SPREAD             the function that makes a pair of one value
//   HET_INFINITY           bits
//   HET_DEVICE_FMA         the device library's fused multiply-add
//   HET_DEVICE(name)       the device library's function of that name and the type's
//   HET_DEVICE_FROM(name)  likewise a conversion to it, with what it is from
//   HET_WIDE               the type that holds every product, and
//   HET_FROM_WIDE(x)       what rounds it
//   HET_CONVERSIONS, HET_OPERATORS, HET_PAIR_OPERATORS  0 if not wanted
//   HET_ATOMICS, HET_PAIR_ATOMICS  0 if atomicAdd is not declared for the architecture
//
// An operation is made in float and rounded once more. Float has more than
// twice the digits of either type, so sums, products, quotients and roots come
// out correctly rounded. A product that is added to has all its digits, and the
// sum is made odd before it is rounded.

#if !defined(HET_T) || !defined(HET_T2)
#error "__het/small_float.h is a part of cuda_fp16.h and cuda_bf16.h"
#endif

#define HET_BITS(bits) HET_T(HET_RAW_T{bits})
#define HET_FROM(f) HET_BITS(HET_ENCODE(f))
#define HET_TO(a) HET_DECODE((a).__x)
#define HET_F static __host__ __device__ __inline__ __attribute__((always_inline, unused))

#include "small_float_type.h"

#include "small_float_arithmetic.h"
#include "small_float_compare.h"
#include "small_float_convert.h"
#include "small_float_pairs.h"
#if defined(__CUDA__)
#include "small_float_device.h"
#endif

#undef HET_F
#undef HET_TO
#undef HET_FROM
#undef HET_BITS

#undef HET_T
#undef HET_T2
#undef HET_RAW_T
#undef HET_RAW_T2
#undef HET_ENCODE
#undef HET_DECODE
#undef HET_NAMED
#undef HET_SPREAD
#undef HET_INFINITY
#undef HET_DEVICE
#undef HET_DEVICE_FMA
#undef HET_DEVICE_FROM
#undef HET_WIDE
#undef HET_FROM_WIDE
#undef HET_CONVERSIONS
#undef HET_OPERATORS
#undef HET_PAIR_OPERATORS
#undef HET_ATOMICS
#undef HET_PAIR_ATOMICS
