// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small pieces of the LLVM dialect that every conversion builds: numbers, pointers, and
// calls of functions that are declared where they are first called.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_BUILDERPIECES_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_BUILDERPIECES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::target {

mlir::Value constantI1(mlir::ImplicitLocOpBuilder &builder, bool value);
mlir::Value constantI32(mlir::ImplicitLocOpBuilder &builder, uint32_t value);
mlir::Value constantI64(mlir::ImplicitLocOpBuilder &builder, uint64_t value);

/// A pointer in one of hetIR's address spaces.
mlir::Type pointerTo(mlir::ImplicitLocOpBuilder &builder, unsigned space);
/// The address of what lies `offset` bytes behind a pointer.
mlir::Value addressAt(mlir::ImplicitLocOpBuilder &builder, mlir::Value pointer,
                      uint64_t offset);
mlir::Value addressAt(mlir::ImplicitLocOpBuilder &builder, mlir::Value pointer,
                      mlir::Value offset);
/// The pointer in the space of a type.
mlir::Value castTo(mlir::ImplicitLocOpBuilder &builder, mlir::Type type,
                   mlir::Value pointer);

/// Calls a function that the module may only have to declare, which `declared` is told
/// of. A null result: none.
mlir::Value callFunction(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                         mlir::Type result, mlir::ValueRange operands,
                         llvm::function_ref<void(mlir::LLVM::LLVMFuncOp)> declared = {});

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_BUILDERPIECES_H
