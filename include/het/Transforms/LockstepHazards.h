// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs written for lanes in lockstep: a lane stores to shared memory and another
// of its team loads it with no sync point between. CUDA asks for `__syncwarp` there,
// but such programs are common and hardware runs them as meant. A machine that runs
// one lane after the other must stop at these places.

#ifndef HET_TRANSFORMS_LOCKSTEPHAZARDS_H
#define HET_TRANSFORMS_LOCKSTEPHAZARDS_H

#include "het/Transforms/UniformityAnalysis.h"

namespace het::transforms {

/// The operations before which all lanes of a team must have come: loads from shared
/// memory behind a store that another lane may have made, or the place where lanes
/// meet again before such a load.
llvm::SmallVector<mlir::Operation *>
findLockstepHazards(mlir::LLVM::LLVMFuncOp kernel, const UniformityAnalysis &uniformity);

} // namespace het::transforms

#endif // HET_TRANSFORMS_LOCKSTEPHAZARDS_H
