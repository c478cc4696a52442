// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic pointers; hetir.is_space for memory that a target does not tell apart: an address
// is compared with the ranges of the objects that are known to be there.

#include "TargetLowering.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace het::target {

Value toGeneric(ImplicitLocOpBuilder &builder, Value pointer) {
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), ir::genericSpace);
  if (pointer.getType() == type)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder, type, pointer);
}

Value isWithin(ImplicitLocOpBuilder &builder, Value address, Value base, Value size) {
  Value offset = LLVM::SubOp::create(builder, address, base);
  return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, offset, size);
}

Value isInConstants(ImplicitLocOpBuilder &builder, ModuleOp module, Value address) {
  MLIRContext *context = builder.getContext();
  DataLayout layout(module);
  Type i64 = builder.getI64Type();
  Value result =
      LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(false));
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != ir::constantSpace)
      continue;
    Value constant = LLVM::AddressOfOp::create(
        builder, LLVM::LLVMPointerType::get(context, ir::constantSpace),
        global.getSymName());
    Value generic = LLVM::AddrSpaceCastOp::create(
        builder, LLVM::LLVMPointerType::get(context, ir::genericSpace), constant);
    Value base = LLVM::PtrToIntOp::create(builder, i64, generic);
    uint64_t bytes = layout.getTypeSize(global.getGlobalType());
    Value size =
        LLVM::ConstantOp::create(builder, i64, builder.getI64IntegerAttr(bytes));
    result = LLVM::OrOp::create(builder, result, isWithin(builder, address, base, size));
  }
  return result;
}

} // namespace het::target
