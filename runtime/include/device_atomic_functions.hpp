// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind device_atomic_functions.h, which has them itself.

#include "device_atomic_functions.h"
