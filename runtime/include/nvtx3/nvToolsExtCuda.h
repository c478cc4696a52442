// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's names for the driver API's objects, under NVTX 3's header name.

#include "../nvToolsExtCuda.h"
