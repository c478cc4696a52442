// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of LLVM dialect that the steps of the conversion share.

#include "ConvertToSPIRV.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {

Value constantI32(ImplicitLocOpBuilder &builder, uint32_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value constantI64(ImplicitLocOpBuilder &builder, uint64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Type pointerTo(ImplicitLocOpBuilder &builder, unsigned space) {
  return LLVM::LLVMPointerType::get(builder.getContext(), space);
}

Value globalPointer(ImplicitLocOpBuilder &builder, Value address) {
  return LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::globalSpace), address);
}

Value callFunction(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                   ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(operands.getTypes())));
    function->setAttr(ir::runtimeAttrName, builder.getUnitAttr());
    function.setNoUnwind(true);
    function.setConvergent(true);
  }
  auto call = LLVM::CallOp::create(builder, function, operands);
  return result ? call.getResult() : Value();
}

Value readPosition(ImplicitLocOpBuilder &builder, StringRef name, ir::Dim dim) {
  std::string mangled = "_Z" + std::to_string(name.size()) + name.str() + "j";
  Value wide = callFunction(builder, mangled, builder.getI64Type(),
                            constantI32(builder, static_cast<unsigned>(dim)));
  return LLVM::TruncOp::create(builder, builder.getI32Type(), wide);
}

Value linearThread(ImplicitLocOpBuilder &builder, const Context &context) {
  Value linear = readPosition(builder, "get_local_id",
                              context.isFlat() ? ir::Dim::X : ir::Dim::Z);
  if (context.isFlat())
    return linear;
  for (ir::Dim dim : {ir::Dim::Y, ir::Dim::X}) {
    Value size = loadField(builder, context.launch,
                           offsetof(HetSpirvLaunch, blockDim) +
                               4 * static_cast<unsigned>(dim),
                           builder.getI32Type());
    linear = LLVM::MulOp::create(builder, linear, size);
    linear = LLVM::AddOp::create(builder, linear,
                                 readPosition(builder, "get_local_id", dim));
  }
  return linear;
}

/// In a segmented kernel shared memory is global; its type says shared until the
/// spaces are merged.
Value sharedBase(ImplicitLocOpBuilder &builder, const Context &context) {
  if (!context.isSegmented())
    return context.block;
  Value address = loadField(builder, context.block, offsetof(HetSpirvBlock, shared),
                            builder.getI64Type());
  return LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::sharedSpace), address);
}

Value blockId(ImplicitLocOpBuilder &builder, const Context &context, ir::Dim dim) {
  if (!context.isSegmented())
    return readPosition(builder, "get_group_id", dim);
  return loadField(builder, context.block,
                   offsetof(HetSpirvBlock, blockId) + 4 * static_cast<unsigned>(dim),
                   builder.getI32Type());
}

} // namespace het::spirv
