// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounding modes of CUDA's conversion functions.

#ifndef HET_DEVICE_TYPES_H
#define HET_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

#include "crt/host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif // HET_DEVICE_TYPES_H
