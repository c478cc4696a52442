// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpaceMerging.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace het::target {

void markConstantLoads(ModuleOp module) {
  module.walk([](LLVM::LoadOp load) {
    auto type = cast<LLVM::LLVMPointerType>(load.getAddr().getType());
    if (type.getAddressSpace() == ir::constantSpace && !load.getVolatile_())
      load.setInvariant(true);
  });
}

void mergeSpaces(ModuleOp module, llvm::function_ref<unsigned(unsigned)> spaceOf) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    global.setAddrSpace(spaceOf(global.getAddrSpace()));
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), spaceOf(type.getAddressSpace()));
  });
  module->removeAttr(DLTIDialect::kDataLayoutAttrName);
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false, /*replaceTypes=*/true);
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    if (cast.getType() != cast.getArg().getType())
      return;
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
}

void setPlainLayout(ModuleOp module) {
  module->removeAttr(DLTIDialect::kDataLayoutAttrName);
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(module.getContext(), plainLayout));
}

} // namespace het::target
