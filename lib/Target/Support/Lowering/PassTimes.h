// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of where the time of a lowering goes, in LLVM's and MLIR's
// own form.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_PASSTIMES_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_PASSTIMES_H

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Timer.h"

namespace het::target {

/// Has LLVM time passes, and writes what it has measured to stderr at the end.
class PassTimes {
public:
  explicit PassTimes(bool isWanted);
  ~PassTimes();

private:
  const bool isWanted; ///< lld forgets LLVM's own flag.
};

/// Has MLIR time passes where LLVM does.
void timePasses(mlir::PassManager &passes);

/// Times a step of the lowering driver.
class StepTimer : llvm::NamedRegionTimer {
public:
  explicit StepTimer(llvm::StringRef step);
};

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_PASSTIMES_H
