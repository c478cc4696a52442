// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what a suspended block's state can not hold.

#include "ParkingObstacles.h"
#include "ObjectAddresses.h"
#include "het/IR/Module.h"
#include "het/Transforms/Frame.h"

using namespace mlir;

namespace het::transforms {

std::optional<ParkingObstacle> findParkingObstacle(LLVM::LLVMFuncOp kernel) {
  auto where = kernel->getAttrOfType<StringAttr>(ir::safePointsAttrName);
  if (where && where == ir::noSafePoints)
    return ParkingObstacle{"compiled without safe points", nullptr};
  if (auto reason = ObjectAddresses(kernel).findKeptAddress())
    return ParkingObstacle{std::string(*reason), nullptr};
  std::optional<ParkingObstacle> found;
  kernel.walk([&](Operation *op) {
    if (ir::syncScope(op) == ir::SyncScope::Block && !ir::isWholeBarrier(op))
      found = {"a barrier has a number or a count", op};
    if (ir::usesCluster(op))
      found = {"its blocks are in clusters", op};
    if (auto local = dyn_cast<LLVM::AllocaOp>(op); local && !isOfFrame(local))
      found = {"a local object has a variable size", op};
  });
  for (auto function : kernel->getParentOfType<ModuleOp>().getOps<LLVM::LLVMFuncOp>())
    if (!ir::isKernel(function))
      function.walk([&](Operation *op) {
        if (ir::isSyncPoint(op))
          found = {"a function that is not inlined has a barrier or a team operation",
                   op};
      });
  return found;
}

} // namespace het::transforms
