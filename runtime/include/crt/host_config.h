// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host compiler's checks of CUDA's crt folder: every host compiler is
// taken.

#ifndef HET_CRT_HOST_CONFIG_H
#define HET_CRT_HOST_CONFIG_H

#include "crt/host_defines.h"
#ifndef __CUDACC_RTC__
#include <stddef.h>
#endif

#endif // HET_CRT_HOST_CONFIG_H
