// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a segmented kernel to the LLVM dialect over a HetTensixBlock, which every function
// takes first. Address spaces keep hetIR's numbers and pointers their 64 bits until
// NarrowPointers.cpp.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_CONVERTTOTENSIX_H
#define HET_LIB_TARGET_TENSIX_LOWERING_CONVERTTOTENSIX_H

#include "../../Support/Lowering/BlockArguments.h"
#include "../TensixABI.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::tensix {

/// hetIR's data layout in LLVM's words.
constexpr llvm::StringLiteral plainLayout = "e-i64:64-i128:128-n8:16:32:64";

/// What the artifact's header says of the kernel.
struct KernelFacts {
  uint32_t variableCount = 0;
  uint32_t staticSharedBytes = 0;
  uint32_t argumentBytes = 0;
  uint32_t maxThreads = 0;
  uint64_t frameBytesPerThread = 0, frameBytesPerBlock = 0;
  uint64_t layout = 0;     ///< Of a block's state; 0: blocks are not parked inside.
  uint64_t stateBytes = 0; ///< Of a thread.
};

/// The names of the functions that Core/Start.c calls; the second for blocks that were
/// parked, where that is another one.
constexpr llvm::StringLiteral entryName = "het_tensix_run";
constexpr llvm::StringLiteral resumeName = "het_tensix_resume";

/// Makes the module one for LLVM IR. Fails with an error at what the target can not do.
mlir::FailureOr<KernelFacts> convertToTensix(mlir::ModuleOp module,
                                             llvm::StringRef kernel);

// Parts of convertToTensix.

/// A pointer in one of hetIR's address spaces.
mlir::Type pointerTo(mlir::ImplicitLocOpBuilder &builder, unsigned space);
using target::loadField;
/// A field that is an address of 32 bits, as a pointer to that space.
mlir::Value loadPointer(mlir::ImplicitLocOpBuilder &builder, mlir::Value block,
                        uint64_t offset, unsigned space);
/// A word of the core's mailbox.
mlir::Value mailboxField(mlir::ImplicitLocOpBuilder &builder, uint64_t offset);
/// A call of a function that is declared on the way; null result: none.
mlir::Value callFunction(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                         mlir::Type result, mlir::ValueRange operands);
/// Replaces an operation that asks or leaves something for the host.
mlir::LogicalResult convertService(mlir::Operation *op, mlir::Value block);
/// Replaces hetir.is_space by comparisons of flat addresses.
void convertSpace(ir::IsSpaceOp op, mlir::Value block, mlir::LLVM::LLVMFuncOp kernel);
/// Where an argument lies in the packed ones; the kernel's own begin behind block and pc.
constexpr unsigned firstArgument = 2;

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_CONVERTTOTENSIX_H
