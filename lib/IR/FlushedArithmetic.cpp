// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of float arithmetic that flushes.

#include "het/IR/FlushedArithmetic.h"
#include "het/IR/HetIR.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace het::ir {

llvm::ArrayRef<FlushedOperation> flushedOperations() {
  static constexpr FlushedOperation operations[] = {
      {"add", LLVM::FAddOp::getOperationName(), 2},
      {"sub", LLVM::FSubOp::getOperationName(), 2},
      {"mul", LLVM::FMulOp::getOperationName(), 2},
      {"div", LLVM::FDivOp::getOperationName(), 2},
      {"fma", LLVM::FMAOp::getOperationName(), 3},
      {"sqrt", LLVM::SqrtOp::getOperationName(), 1},
      {"minnum", LLVM::MinNumOp::getOperationName(), 2},
      {"maxnum", LLVM::MaxNumOp::getOperationName(), 2},
      {"minimum", LLVM::MinimumOp::getOperationName(), 2},
      {"maximum", LLVM::MaximumOp::getOperationName(), 2},
      {"minimumnum", "llvm.minimumnum", 2, true},
      {"maximumnum", "llvm.maximumnum", 2, true}};
  return operations;
}

const FlushedOperation *findFlushedOperation(llvm::StringRef function) {
  for (const FlushedOperation &known : flushedOperations())
    if (known.function == function)
      return &known;
  return nullptr;
}

bool flushes(MathOp op) {
  return op.getFunction() == flushFunction || op.getFunction().ends_with(flushSuffix);
}

} // namespace het::ir
