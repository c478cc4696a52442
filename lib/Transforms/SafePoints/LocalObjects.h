// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel's local objects and recomputable values stand, for forms of it that
// can begin at any safe point: in the entry block, which all of these have.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_LOCALOBJECTS_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_LOCALOBJECTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

/// A byval argument that is written, or whose address leaves the kernel, becomes a
/// local object of each thread; not so where all threads have one copy. The kernel has
/// its safe point at the entry.
void copyWrittenArguments(mlir::LLVM::LLVMFuncOp kernel);

/// Local objects belong to the frame, not to the segment that follows the kernel's
/// entry: they go before the entry's safe point, where the frame's layout looks.
void hoistLocals(mlir::Block &entry);

/// A recomputable value is not routed through safe points, so in a segment that
/// begins inside a loop its definition need not dominate its uses. In the entry
/// block it lies outside every segment but the first.
void hoistRecomputable(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_LOCALOBJECTS_H
