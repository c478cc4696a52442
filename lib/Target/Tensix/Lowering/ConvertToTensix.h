// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a segmented kernel to the LLVM dialect over a HetTensixBlock, which every function
// takes first. Address spaces keep hetIR's numbers and pointers their 64 bits until
// NarrowPointers.cpp.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_CONVERTTOTENSIX_H
#define HET_LIB_TARGET_TENSIX_LOWERING_CONVERTTOTENSIX_H

#include "../../Support/Lowering/KernelInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::tensix {

/// The names of the functions that Core/Start.c calls; the second for blocks that were
/// suspended, where that is another one.
constexpr llvm::StringLiteral entryName = "het_tensix_run";
constexpr llvm::StringLiteral resumeName = "het_tensix_resume";

/// Makes the module one for LLVM IR. Fails with an error at what the target can not do.
mlir::FailureOr<target::KernelInfo> convertToTensix(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_CONVERTTOTENSIX_H
