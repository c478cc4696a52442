// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that begin before those have ended that they depend on. LLVM has intrinsics for
// that, which say that they have to do with no memory, so that accesses would pass them.
//
// Source: PTX ISA, "Parallel Synchronization and Communication Instructions:
// griddepcontrol".

#include "ConvertToPTX.h"

using namespace mlir;

namespace het::ptx {

static void replace(Operation *op, StringRef instruction) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  LLVM::InlineAsmOp::create(builder, TypeRange(), ValueRange(), instruction, "~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::TailCallKind::None, LLVM::AsmDialectAttr(),
                            ArrayAttr());
  op->erase();
}

void convertGridDependencies(ModuleOp module) {
  module.walk([](ir::GridDependencyWaitOp op) { replace(op, "griddepcontrol.wait;"); });
  module.walk([](ir::GridDependencyTriggerOp op) {
    replace(op, "griddepcontrol.launch_dependents;");
  });
}

} // namespace het::ptx
