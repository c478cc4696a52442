// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockArguments.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace het::target {

/// Those of the arguments that come first have none.
static ArrayAttr withFirst(ArrayAttr attributes, size_t count) {
  SmallVector<Attribute> extended(count, DictionaryAttr::get(attributes.getContext()));
  llvm::append_range(extended, attributes);
  return ArrayAttr::get(attributes.getContext(), extended);
}

void takeFirst(LLVM::LLVMFuncOp function, ArrayRef<Type> types) {
  auto type = function.getFunctionType();
  SmallVector<Type> all(types);
  llvm::append_range(all, type.getParams());
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), all, type.isVarArg()));
  for (auto [number, first] : llvm::enumerate(types))
    function.getBody().front().insertArgument(unsigned(number), first, function.getLoc());
  if (ArrayAttr attributes = function.getArgAttrsAttr())
    function.setArgAttrsAttr(withFirst(attributes, types.size()));
}

void giveFirst(LLVM::CallOp call, ValueRange values) {
  auto symbol = call.getCalleeAttr();
  auto callee = symbol
                    ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, symbol)
                    : nullptr;
  if (symbol && (!callee || callee.isExternal()))
    return;
  SmallVector<Value> operands(call.getCalleeOperands());
  // The callee of an indirect call is its first operand.
  operands.insert(operands.begin() + (symbol ? 0 : 1), values.begin(), values.end());
  call.getCalleeOperandsMutable().assign(operands);
  if (ArrayAttr attributes = call.getArgAttrsAttr())
    call.setArgAttrsAttr(withFirst(attributes, values.size()));
}

Value loadField(ImplicitLocOpBuilder &builder, Value record, uint64_t offset, Type type) {
  Value address = record;
  if (offset)
    address = LLVM::GEPOp::create(builder, record.getType(), builder.getI8Type(), record,
                                  ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                                  LLVM::GEPNoWrapFlags::inbounds);
  auto load = LLVM::LoadOp::create(builder, type, address);
  load.setInvariant(true);
  return load;
}

} // namespace het::target
