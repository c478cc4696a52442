// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI, the interface of profiling tools: callbacks and activity records. libhetcupti
// answers it (docs/design/tools.md).

#ifndef HET_CUPTI_H
#define HET_CUPTI_H

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_result.h>
#include <cupti_runtime_cbid.h>
#include <cupti_version.h>
#include <generated_cuda_meta.h>
#include <generated_cuda_runtime_api_meta.h>

#endif // HET_CUPTI_H
