// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that retry a compare-and-swap of what they have just read: one that fails shows
// that another thread has got on, so they wait for nobody.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_SWAPRETRIES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_SWAPRETRIES_H

#include "mlir/Analysis/CFGLoopInfo.h"

namespace het::transforms {

/// Whether every way round the loop passes such a compare-and-swap that has failed.
bool endsBySwaps(mlir::CFGLoop *loop);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_SWAPRETRIES_H
