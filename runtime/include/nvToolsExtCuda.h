// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's names for the driver API's objects, under the older header name.

#include "nvtx3/nvToolsExtCuda.h"
