// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes NVTX, of which this is the older name.

#include "nvtx3/nvToolsExt.h"
