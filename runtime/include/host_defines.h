// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's declaration specifiers, under their older name.

#include "crt/host_defines.h"
