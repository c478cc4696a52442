// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's older name of crt/host_config.h.

#include "crt/host_config.h"
