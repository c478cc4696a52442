// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind sm_20_intrinsics.h, which has them itself.

#include "sm_20_intrinsics.h"
