// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE under the name that its header had beside that of an older interface.

#include "cusparse.h"
