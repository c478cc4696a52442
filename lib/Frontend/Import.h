// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the optimised LLVM module of a device pass into hetIR.

#ifndef HET_LIB_FRONTEND_IMPORT_H
#define HET_LIB_FRONTEND_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace llvm {
class Module;
}

namespace het {

class Messages;
struct CompileOptions;
struct ModuleInfo;

/// The folder of Clang's own headers.
std::string resourceDirOf(const CompileOptions &options);

/// Adds what importModule needs to a context's dialects.
void registerImport(mlir::DialectRegistry &registry);

/// Imports, raises, marks the package's variables and what the options let
/// targets do. Null with the reasons shown.
mlir::OwningOpRef<mlir::ModuleOp> importModule(std::unique_ptr<llvm::Module> module,
                                               const ModuleInfo &info,
                                               const CompileOptions &options,
                                               mlir::MLIRContext &context,
                                               Messages &messages);

} // namespace het

#endif // HET_LIB_FRONTEND_IMPORT_H
