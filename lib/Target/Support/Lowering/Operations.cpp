// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that mean the same to every target.

#include "TargetLowering.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace het::target {

void callDeviceLibrary(ir::MathOp op) {
  auto module = op->getParentOfType<ModuleOp>();
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  std::string name = ir::deviceLibraryName(op);
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    callee = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(op.getType(),
                                    SmallVector<Type>(op->getOperandTypes())));
    callee.setNoUnwind(true);
    callee.setWillReturn(true);
  }
  auto call = LLVM::CallOp::create(builder, callee, op->getOperands());
  op->replaceAllUsesWith(call.getResults());
  op->erase();
}

void dropSafePoints(ModuleOp module) {
  module.walk([](ir::SafePointOp point) {
    point->replaceAllUsesWith(point.getLive());
    point->erase();
  });
}

} // namespace het::target
