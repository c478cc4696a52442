// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime API and, in C++, its typed forms: allocation of any T*,
// symbols by name, kernels as template arguments. CUDA source has it, and the
// language's device functions, without including anything.

#ifndef HET_CUDA_RUNTIME_H
#define HET_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "crt/host_config.h"

#include "builtin_types.h"
#ifndef __CUDACC_RTC__ // where there is no host
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#else
#include "cuda_device_runtime_api.h"
#endif
#include "library_types.h"
#include "vector_functions.h"

#if defined(__CUDA__)
#include "device_launch_parameters.h"
#endif

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "__het/runtime_templates.h"
#endif

#endif // HET_CUDA_RUNTIME_H

#if defined(__CUDA__) && defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) &&                  \
    !defined(HET_PER_THREAD_RUNTIME_H) && !defined(HET_PER_THREAD_TOO_LATE)
#define HET_PER_THREAD_TOO_LATE
#warning                                                                                 \
    "CUDA_API_PER_THREAD_DEFAULT_STREAM has no effect in CUDA source, which has cuda_runtime.h ahead of it; use --default-stream per-thread"
#endif
