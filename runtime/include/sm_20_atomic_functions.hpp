// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind sm_20_atomic_functions.h, which has them itself.

#include "sm_20_atomic_functions.h"
