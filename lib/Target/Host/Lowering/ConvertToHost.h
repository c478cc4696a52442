// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a segmented kernel to the LLVM dialect for one process: what the steps of
// the conversion offer each other.

#ifndef HET_LIB_TARGET_HOST_LOWERING_CONVERTTOHOST_H
#define HET_LIB_TARGET_HOST_LOWERING_CONVERTTOHOST_H

#include "../../Support/Lowering/BlockArguments.h"
#include "../HostABI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::host {

/// What the artifact's header says of the kernel.
struct KernelLayout {
  uint64_t staticSharedBytes = 0;
  uint64_t frameBytesPerThread = 0;
  uint64_t frameBytesPerBlock = 0;
  uint64_t stateBytes = 0; ///< Of a thread.
  uint64_t hash = 0; ///< Of the state's layout; 0: blocks are not parked inside.
};

/// The name of the function the artifact's header points to.
constexpr llvm::StringLiteral entryName = "het_run";
/// Likewise for blocks that were parked, where the kernel's can be.
constexpr llvm::StringLiteral resumeName = "het_resume";

/// Of a segmented kernel: everything of hetIR becomes code over the block's HetHostBlock, which
/// every function takes first. Fails with an error at what the host can not do.
mlir::FailureOr<KernelLayout> convertToHost(mlir::ModuleOp module,
                                            llvm::StringRef kernel);

using target::loadField;

/// Parts of convertToHost. The kernel's own arguments begin behind the block and the pc.
constexpr unsigned firstArgument = 2;
/// Replaces hetir.is_space by comparisons of addresses; functions take the block.
void convertSpaces(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp kernel);
/// Replaces operations that are calls of the host's services.
mlir::LogicalResult convertServices(mlir::LLVM::LLVMFuncOp function,
                                    mlir::Value block);
/// Replaces math operations by calls of the device library.
void convertMath(mlir::LLVM::LLVMFuncOp function);
/// One address space for all.
void flattenAddressSpaces(mlir::ModuleOp module);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_CONVERTTOHOST_H
