// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version of CUPTI: that of CUDA 12.9.

#ifndef HET_CUPTI_VERSION_H
#define HET_CUPTI_VERSION_H

#include <cupti_result.h>
#include <stdint.h>

#define CUPTI_API_VERSION 28

#ifdef __cplusplus
extern "C" {
#endif

CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version);

#ifdef __cplusplus
}
#endif

#endif // HET_CUPTI_VERSION_H
