// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelObjects.h"
#include "het/IR/Module.h"

using namespace mlir;

namespace het::target {

KernelObjects::KernelObjects(ModuleOp module) : shared(module) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global->hasAttr(ir::variableAttrName))
      variables.try_emplace(global.getSymName(), variables.size());
}

void KernelObjects::erase(ModuleOp module) const {
  for (auto global : llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (shared.offsets.contains(global.getSymName()) ||
        variables.contains(global.getSymName()))
      global.erase();
}

} // namespace het::target
