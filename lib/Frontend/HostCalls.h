// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of host functions by `__host__ __device__` functions in code for devices. nvcc
// warns of them and goes on, since libraries guard them by conditions that are never true
// on a device; Clang refuses them. Here a kernel that gets there is stopped.
//
// So are calls of the device's functions in the host's code, where the caller is an
// instance of a template: nvcc says nothing there, and a program that gets there is
// stopped.

#ifndef HET_LIB_FRONTEND_HOSTCALLS_H
#define HET_LIB_FRONTEND_HOSTCALLS_H

#include <memory>

namespace clang {
class ASTConsumer;
class CodeGenOptions;
class CompilerInstance;
class Diagnostic;
} // namespace clang

namespace llvm {
class Module;
} // namespace llvm

namespace het {

/// A call between the two sides that Clang has an error for: how it is compiled.
enum class SideCall {
  Refused,
  Trap,      ///< With a warning.
  QuietTrap, ///< As nvcc says nothing.
};

/// Decides how the call is compiled that an error is about. The function of a call that
/// goes on as a trap is marked. Clang has left other calls out of its tree, those by
/// functions that are certainly compiled among them.
SideCall noteSideCall(const clang::Diagnostic &diagnostic,
                      const clang::CompilerInstance &compiler);

/// Tells Clang of calls that are refused, which it does not count as errors
/// (ClangInvocation.cpp), before it makes code of such a tree.
std::unique_ptr<clang::ASTConsumer>
createHostCallCheck(clang::CompilerInstance &compiler);

/// Whether a message is what the check says.
bool isOfHostCallCheck(const clang::Diagnostic &diagnostic);

/// The attribute that Clang gives to a function with `__attribute__((error(text)))`, and
/// the text by which such a call's function is marked.
inline constexpr const char *hostFunctionAttribute = "dontcall-error";
inline constexpr const char *hostFunctionMark = "het.host";

/// Makes traps of the marked functions.
void trapHostCalls(llvm::Module &module);

/// Adds a pass to the making of host code that turns calls of marked functions into
/// traps.
void trapDeviceCalls(clang::CodeGenOptions &options);

} // namespace het

#endif // HET_LIB_FRONTEND_HOSTCALLS_H
