// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of LLVM dialect that the steps of the conversion share.

#include "ConvertToSPIRV.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {

Value globalPointer(ImplicitLocOpBuilder &builder, Value address) {
  return LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::globalSpace), address);
}

void declared(LLVM::LLVMFuncOp callee) {
  callee->setAttr(ir::runtimeAttrName, UnitAttr::get(callee.getContext()));
  callee.setNoUnwind(true);
  callee.setConvergent(true);
}

Value callFunction(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                   ValueRange operands) {
  return target::callFunction(builder, name, result, operands, declared);
}

Value readPosition(ImplicitLocOpBuilder &builder, StringRef name, ir::Dim dim) {
  std::string mangled = "_Z" + std::to_string(name.size()) + name.str() + "j";
  Value wide = callFunction(builder, mangled, builder.getI64Type(),
                            constantI32(builder, static_cast<unsigned>(dim)));
  return LLVM::TruncOp::create(builder, builder.getI32Type(), wide);
}

Value linearThread(ImplicitLocOpBuilder &builder, const Context &context) {
  Value linear =
      readPosition(builder, "get_local_id", context.isFlat() ? ir::Dim::X : ir::Dim::Z);
  if (context.isFlat())
    return linear;
  for (ir::Dim dim : {ir::Dim::Y, ir::Dim::X}) {
    Value size =
        loadField(builder, context.launch,
                  offsetof(HetSpirvLaunch, blockDim) + 4 * static_cast<unsigned>(dim),
                  builder.getI32Type());
    linear = LLVM::MulOp::create(builder, linear, size);
    linear =
        LLVM::AddOp::create(builder, linear, readPosition(builder, "get_local_id", dim));
  }
  return linear;
}

} // namespace het::spirv
