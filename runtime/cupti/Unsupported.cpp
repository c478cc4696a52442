// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI's functions that are not here (Unsupported.def): each names itself in the log and
// returns CUPTI_ERROR_NOT_SUPPORTED, whatever its arguments are.

#include "Cupti.h"

#define HET_CUPTI_UNSUPPORTED(name)                                                      \
  extern "C" __attribute__((visibility("default"))) CUptiResult name() {                 \
    return het::cupti::refuse(#name);                                                    \
  }
#include "Unsupported.def"
