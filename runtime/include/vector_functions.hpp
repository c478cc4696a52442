// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind vector_functions.h, which has them itself.

#include "vector_functions.h"
