// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BuilderPieces.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace het::target {

Value constantI1(ImplicitLocOpBuilder &builder, bool value) {
  return LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                  builder.getBoolAttr(value));
}

Value constantI32(ImplicitLocOpBuilder &builder, uint32_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value constantI64(ImplicitLocOpBuilder &builder, uint64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(static_cast<int64_t>(value)));
}

Type pointerTo(ImplicitLocOpBuilder &builder, unsigned space) {
  return LLVM::LLVMPointerType::get(builder.getContext(), space);
}

Value addressAt(ImplicitLocOpBuilder &builder, Value pointer, uint64_t offset) {
  return LLVM::GEPOp::create(builder, pointer.getType(), builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value addressAt(ImplicitLocOpBuilder &builder, Value pointer, Value offset) {
  return LLVM::GEPOp::create(builder, pointer.getType(), builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Value castTo(ImplicitLocOpBuilder &builder, Type type, Value pointer) {
  if (pointer.getType() == type)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder, type, pointer);
}

Value callFunction(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                   ValueRange operands,
                   llvm::function_ref<void(LLVM::LLVMFuncOp)> declared) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    callee = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(operands.getTypes())));
    if (declared)
      declared(callee);
  }
  auto call = LLVM::CallOp::create(builder, callee, operands);
  return result ? call.getResult() : Value();
}

} // namespace het::target
