// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one hetIR module to a package: a module for each kernel with what it
// uses, the passes over it, its bytecode, its record.

#ifndef HET_LIB_FRONTEND_KERNELMODULES_H
#define HET_LIB_FRONTEND_KERNELMODULES_H

#include "het/Frontend/Frontend.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace het {

class Messages;
struct ModuleInfo;
struct RelocatableCode;

/// One kernel on its way into the package.
struct KernelModule {
  std::string kernel;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Why its blocks are not parked inside, and where that is; empty: they are.
  std::string unparkable;
};

/// One module for each kernel, in the order of the source. The time is
/// proportional to the code that comes out.
std::vector<KernelModule> splitKernels(mlir::ModuleOp module);

/// Runs the passes over each module, on all processors. Shows what goes wrong.
bool finishKernels(std::vector<KernelModule> &kernels, const CompileOptions &options,
                   mlir::MLIRContext &context, Messages &messages);

/// The package of finished kernels, and of relocatable code if there is some.
llvm::Expected<Bytes> buildPackage(std::vector<KernelModule> &kernels,
                                   const ModuleInfo &info,
                                   const RelocatableCode *relocatable);

} // namespace het

#endif // HET_LIB_FRONTEND_KERNELMODULES_H
