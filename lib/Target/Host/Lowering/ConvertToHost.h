// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a segmented kernel to the LLVM dialect over a HetHostBlock, which every function
// takes first.

#ifndef HET_LIB_TARGET_HOST_LOWERING_CONVERTTOHOST_H
#define HET_LIB_TARGET_HOST_LOWERING_CONVERTTOHOST_H

#include "../../Support/Lowering/KernelInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::host {

/// The names of the functions that the artifact's header points to; the second for blocks
/// that were suspended, where the kernel's can be.
constexpr llvm::StringLiteral entryName = "het_run", resumeName = "het_resume";

/// Makes of a segmented kernel's module one for LLVM IR. Fails with an error at what the
/// host can not do.
mlir::FailureOr<target::KernelInfo> convertToHost(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_CONVERTTOHOST_H
