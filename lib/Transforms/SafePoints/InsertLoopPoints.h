// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safe points in addition to the canonical ones, for one form of a kernel, which runs
// parallel regions and is not suspended there.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTLOOPPOINTS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTLOOPPOINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// Attribute of a safe point that insertLoopPoints() has added.
constexpr llvm::StringLiteral additionalAttrName = "hetir.additional";

/// First operations of the headers and exits of loops whose every branch out is uniform
/// over the block: there all lanes of a block can go on together, an iteration at a time.
/// With `skipUnrolled` not those that a compiler is expected to unroll.
llvm::SmallVector<mlir::Operation *> findLoopPlaces(mlir::LLVM::LLVMFuncOp kernel,
                                                    bool skipUnrolled);

/// Puts points into all loops that a block goes round together and that have none. Their
/// ids follow those of the others, their slots' numbers begin with `firstSlot`. Returns
/// the slots' types.
llvm::SmallVector<mlir::Type> insertLoopPoints(mlir::LLVM::LLVMFuncOp kernel,
                                               unsigned firstSlot);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_INSERTLOOPPOINTS_H
