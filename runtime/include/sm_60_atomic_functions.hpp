// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind sm_60_atomic_functions.h, which has them itself.

#include "sm_60_atomic_functions.h"
