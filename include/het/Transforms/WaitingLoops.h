// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for what another thread does in memory: spin locks, flags, turns.
// Since Volta the lanes of a team make progress independently of each other; a
// machine that runs lanes one after another has to let the others run in between.

#ifndef HET_TRANSFORMS_WAITINGLOOPS_H
#define HET_TRANSFORMS_WAITINGLOOPS_H

#include "het/IR/Module.h"
#include "mlir/Analysis/CFGLoopInfo.h"

namespace het::transforms {

/// Whether `loop` may go round until another thread writes something: whether to
/// leave it depends on a volatile or atomic read inside it. Loops that retry until
/// nobody else has interfered (a compare-and-swap of what was read) end by
/// themselves.
bool waitsForOthers(mlir::CFGLoop *loop, mlir::DominanceInfo &dominance);

} // namespace het::transforms

#endif // HET_TRANSFORMS_WAITINGLOOPS_H
