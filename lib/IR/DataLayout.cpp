// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR's data layout: the same on every device, so that memory means the same.

#include "llvm/IR/DataLayout.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Target/LLVMIR/Import.h"

using namespace mlir;

namespace het::ir {

void setDataLayout(ModuleOp module) {
  llvm::DataLayout layout("e-p:64:64-p1:64:64-p3:64:64-p4:64:64-p5:64:64-i64:64-"
                          "i128:128-n16:32:64");
  module->setAttr(DLTIDialect::kDataLayoutAttrName,
                  translateDataLayout(layout, module.getContext()));
}

} // namespace het::ir
