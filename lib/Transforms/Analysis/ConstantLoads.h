// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loads from memory that no thread writes while the kernel runs.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_CONSTANTLOADS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_CONSTANTLOADS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::transforms {

llvm::DenseSet<mlir::Operation *> findConstantLoads(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_CONSTANTLOADS_H
