// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that a device gives a kernel's code beside its own, say a record of the block
// that runs: every function takes it first and gives it on.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_BLOCKARGUMENTS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_BLOCKARGUMENTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::target {

/// The function takes arguments of these types before its own.
void takeFirst(mlir::LLVM::LLVMFuncOp function, llvm::ArrayRef<mlir::Type> types);

/// The call gives them, unless it is of a function that the module only declares.
void giveFirst(mlir::LLVM::CallOp call, mlir::ValueRange values);

/// A field of a record, which nobody changes while the code runs; `offset` in bytes.
mlir::Value loadField(mlir::ImplicitLocOpBuilder &builder, mlir::Value record,
                      uint64_t offset, mlir::Type type);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_BLOCKARGUMENTS_H
