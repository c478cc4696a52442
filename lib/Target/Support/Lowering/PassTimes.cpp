// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns on the timers that LLVM and MLIR have.

#include "PassTimes.h"
#include "llvm/IR/PassTimingInfo.h"

namespace het::target {

PassTimes::PassTimes(bool isWanted) : isWanted(isWanted) {
  llvm::TimePassesIsEnabled = isWanted;
}

PassTimes::~PassTimes() {
  if (!isWanted)
    return;
  llvm::TimerGroup::printAll(llvm::errs());
  llvm::TimerGroup::clearAll();
}

void timePasses(mlir::PassManager &passes) {
  if (llvm::TimePassesIsEnabled)
    passes.enableTiming();
}

StepTimer::StepTimer(llvm::StringRef step)
    : NamedRegionTimer(step, step, "lowering", "Steps of the lowering",
                       llvm::TimePassesIsEnabled) {}

} // namespace het::target
