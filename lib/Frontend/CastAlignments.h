// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to a variable by a cast to a type of larger alignment.

#ifndef HET_LIB_FRONTEND_CASTALIGNMENTS_H
#define HET_LIB_FRONTEND_CASTALIGNMENTS_H

#include <memory>

namespace clang {
class ASTConsumer;
} // namespace clang
namespace llvm {
class Module;
} // namespace llvm

namespace het {

/// Creates the consumer that makes such accesses as aligned as their type. It comes
/// before the code generator's.
std::unique_ptr<clang::ASTConsumer> createCastAlignments();

/// Aligns variables to the largest access that they have room for, of 16 bytes at most.
void alignVariables(llvm::Module &module);

} // namespace het

#endif // HET_LIB_FRONTEND_CASTALIGNMENTS_H
