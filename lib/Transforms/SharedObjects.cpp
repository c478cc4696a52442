// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays out static shared objects in the order of the module.

#include "het/Transforms/SharedObjects.h"
#include "het/IR/Module.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace het::transforms {

SharedObjects::SharedObjects(ModuleOp module) {
  DataLayout layout(module);
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global->hasAttr(ir::variableAttrName) || global.getAddrSpace() != ir::sharedSpace)
      continue;
    uint64_t alignment =
        std::max<uint64_t>(global.getAlignment().value_or(1),
                           layout.getTypeABIAlignment(global.getGlobalType()));
    uint64_t offset = llvm::alignTo(bytes, alignment);
    uint64_t size = layout.getTypeSize(global.getGlobalType());
    objects.push_back({global, offset, size, alignment});
    offsets[global.getSymName()] = offset;
    bytes = offset + size;
  }
}

} // namespace het::transforms
