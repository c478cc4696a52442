// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on matrices between segments: how they call runtime/devicelib/matrix.c. A
// matrix's registers lie in slots that follow each other, so that one address leads to
// all of them.

#ifndef HET_LIB_TRANSFORMS_SEGMENTS_MATRIXSLOTS_H
#define HET_LIB_TRANSFORMS_SEGMENTS_MATRIXSLOTS_H

#include "Segments.h"
#include "het/IR/Matrix.h"

namespace het::transforms {

ExchangeSlots matrixSlots(FrameLayout &layout, mlir::Operation *sync);

/// The slots that the function is given the arrays of.
llvm::SmallVector<unsigned> matrixArrays(mlir::Operation *sync,
                                         const ExchangeSlots &slots);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SEGMENTS_MATRIXSLOTS_H
