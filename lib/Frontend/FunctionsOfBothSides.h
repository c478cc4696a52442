// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `__host__ __device__` functions that other files see. Clang compiles them for devices
// whether they are called or not, and refuses a call of a host function while it reads
// them, so that the call is missing from its tree. Here such a function counts as inline
// while it is read: its calls are looked at behind that, as an inline function's
// are (HostCalls.h).

#ifndef HET_LIB_FRONTEND_FUNCTIONSOFBOTHSIDES_H
#define HET_LIB_FRONTEND_FUNCTIONSOFBOTHSIDES_H

#include <memory>
#include <vector>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace het {

/// Registers `__attribute__((het_side))`, which `__host__` and `__device__` have in code
/// for devices.
void registerSideAttribute();

/// Adds the consumer that makes code, between two that see to it that it gets these
/// functions when the calls have been looked at.
void addCodeGeneration(std::vector<std::unique_ptr<clang::ASTConsumer>> &consumers,
                       std::unique_ptr<clang::ASTConsumer> codeGeneration);

} // namespace het

#endif // HET_LIB_FRONTEND_FUNCTIONSOFBOTHSIDES_H
