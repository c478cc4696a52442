// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safe points in addition to the canonical ones, for one form of a kernel, which runs
// parallel regions and is not suspended there: those of loops, and what other kinds
// (InsertJoinPoints.h) are made with.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTLOOPPOINTS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTLOOPPOINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Attribute of a safe point that is none of the canonical ones.
constexpr llvm::StringLiteral additionalAttrName = "hetir.additional";

/// First operations of the headers and exits of loops whose every branch out is uniform
/// over the block: there all lanes of a block can go on together, an iteration at a time.
/// With `skipUnrolled` not those that a compiler is expected to unroll.
llvm::SmallVector<mlir::Operation *> findLoopPlaces(mlir::LLVM::LLVMFuncOp kernel,
                                                    bool skipUnrolled);

/// Puts points before operations that have none. Their ids follow those of the others,
/// their slots' numbers begin with `firstSlot`. Returns the slots' types.
llvm::SmallVector<mlir::Type>
insertAdditionalPoints(mlir::LLVM::LLVMFuncOp kernel,
                       llvm::ArrayRef<mlir::Operation *> before, unsigned firstSlot);

/// Returns a slot's number that is greater than those of all the kernel's safe points.
unsigned nextSlot(mlir::LLVM::LLVMFuncOp kernel);

/// Puts points into all loops that a block goes round together and that have none, as
/// insertAdditionalPoints() does.
llvm::SmallVector<mlir::Type> insertLoopPoints(mlir::LLVM::LLVMFuncOp kernel,
                                               unsigned firstSlot);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTLOOPPOINTS_H
