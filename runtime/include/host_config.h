// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes crt/host_config.h, of which this is CUDA's older name.

#include "crt/host_config.h"
