// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a kernel that a lowering finds out for the head of its artifact.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_KERNELINFO_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_KERNELINFO_H

#include "KernelObjects.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace het::target {

struct KernelInfo {
  uint32_t variableCount = 0;
  uint32_t staticSharedBytes = 0;
  uint32_t maxThreads = 0; ///< The source's launch bound; 0: none.
  /// Where each of the kernel's own arguments lies among the packed ones, in bytes.
  llvm::SmallVector<uint32_t> argumentOffsets, argumentSizes;
  uint32_t argumentBytes = 0;                ///< For all of them.
  llvm::SmallVector<unsigned> gridConstants; ///< Arguments that no thread has a copy of.
  uint64_t frameBytesPerThread = 0, frameBytesPerBlock = 0;
  uint64_t layout = 0;           ///< Hash of a suspended block's state; 0: there is none.
  uint64_t stateBytes = 0;       ///< A thread's.
  uint64_t stateSharedBytes = 0; ///< Shared memory in a block's state.
  bool readsClock = false;
  bool hasGridBarrier = false;
  bool waitsForGrids = false; ///< It has hetir.grid_dependency_wait.
};

/// Describes a kernel that has been formed and not been converted. `firstArgument`: how
/// many of the function's arguments are not the kernel's own.
KernelInfo describeKernel(mlir::LLVM::LLVMFuncOp kernel, const KernelObjects &objects,
                          unsigned firstArgument);

/// The function for blocks that were suspended; null where there is none. It may be the
/// kernel itself.
mlir::LLVM::LLVMFuncOp resumeOf(mlir::LLVM::LLVMFuncOp kernel);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_KERNELINFO_H
