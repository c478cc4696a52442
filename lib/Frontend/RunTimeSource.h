// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is special about the code of a source that is compiled while a program runs: all
// of it is for devices, and the program asks for kernels and variables by expressions.

#ifndef HET_LIB_FRONTEND_RUNTIMESOURCE_H
#define HET_LIB_FRONTEND_RUNTIMESOURCE_H

#include "het/Frontend/Frontend.h"

#include <functional>
#include <memory>

namespace clang {
class ASTConsumer;
class CodeGenerator;
class CompilerInstance;
} // namespace clang

namespace llvm {
class Module;
}

namespace het {

/// The source with a variable behind it for each name expression, by which the consumer
/// below finds what it names.
std::string withNameExpressions(const SourceInMemory &source);

/// Reports functions and variables of the host.
std::unique_ptr<clang::ASTConsumer>
createHostEntityCheck(clang::CompilerInstance &compiler, const SourceInMemory &source);

/// Fills in the lowered names, and sees to it that there is code for them. Stands before
/// the consumer that generates code.
std::unique_ptr<clang::ASTConsumer>
createNameLowering(clang::CompilerInstance &compiler, SourceInMemory &source,
                   std::function<clang::CodeGenerator *()> generator);

/// Lets the program reach all variables by their names, also static ones, which have
/// plain names where NVRTC gives them such. Those of relocatable code stay their file's.
void exposeVariables(llvm::Module &module, SourceInMemory &source, bool isRelocatable);

/// Registers `__attribute__((het_default_device))`, by which variables that say nothing
/// of where they are become device variables.
void registerDefaultDeviceAttribute();

} // namespace het

#endif // HET_LIB_FRONTEND_RUNTIMESOURCE_H
