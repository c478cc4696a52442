// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of threadIdx and its kin, which nobody may take.

#ifndef HET_LIB_FRONTEND_BUILTINADDRESSES_H
#define HET_LIB_FRONTEND_BUILTINADDRESSES_H

#include <memory>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace het {

/// Creates the consumer that refuses to take the address of a built-in variable, as nvcc
/// does.
std::unique_ptr<clang::ASTConsumer> createBuiltinAddressCheck();

} // namespace het

#endif // HET_LIB_FRONTEND_BUILTINADDRESSES_H
