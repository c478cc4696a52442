// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a text of PTX to a module of LLVM IR, as Clang's device pass would make it.

#ifndef HET_LIB_FRONTEND_PTX_MODULEBUILDER_H
#define HET_LIB_FRONTEND_PTX_MODULEBUILDER_H

#include "Syntax.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace het::ptx {

/// Reads a text. Null, with a fault, if it is no module or has what is not supported.
std::unique_ptr<llvm::Module> readModule(llvm::StringRef text, llvm::LLVMContext &context,
                                         Fault &fault);

/// Gives functions of NVIDIA's device runtime bodies, where a text declares them.
void defineRuntimeFunctions(llvm::Module &module);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_MODULEBUILDER_H
