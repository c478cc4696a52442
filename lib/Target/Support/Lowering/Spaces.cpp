// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic pointers; hetir.is_space for memory that a target does not tell apart: an
// address is compared with the ranges of the objects that are known to be there.

#include "BuilderPieces.h"
#include "TargetLowering.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace het::target {

Value toGeneric(ImplicitLocOpBuilder &builder, Value pointer) {
  return castTo(builder, pointerTo(builder, ir::genericSpace), pointer);
}

Value isWithin(ImplicitLocOpBuilder &builder, Value address, Value base, Value size) {
  Value offset = LLVM::SubOp::create(builder, address, base);
  return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, offset, size);
}

Value isInConstants(ImplicitLocOpBuilder &builder, ModuleOp module, Value address) {
  DataLayout layout(module);
  Value result = constantI1(builder, false);
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != ir::constantSpace)
      continue;
    Value constant = LLVM::AddressOfOp::create(
        builder, pointerTo(builder, ir::constantSpace), global.getSymName());
    Value base = LLVM::PtrToIntOp::create(builder, builder.getI64Type(),
                                          toGeneric(builder, constant));
    Value size = constantI64(builder, layout.getTypeSize(global.getGlobalType()));
    result = LLVM::OrOp::create(builder, result, isWithin(builder, address, base, size));
  }
  return result;
}

} // namespace het::target
