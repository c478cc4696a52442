// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind sm_61_intrinsics.h, which has them itself.

#include "sm_61_intrinsics.h"
