// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's functions by name, for programs of before NVTX 3, which link with libnvToolsExt.
// They call whatever tool NVTX_INJECTION64_PATH names.

#define HET_NVTX_API __attribute__((visibility("default")))
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtSync.h>
