// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX under its older name.

#include "nvtx3/nvToolsExt.h"
