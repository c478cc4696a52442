// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of CUDA's device library (`__nv_*`) become LLVM instructions and
// intrinsics where these give the same result, and calls of marker functions
// `het.math.<function>.<exact|approx>.<types>` elsewhere, which become
// hetir.math after the import. Done before optimisation, so that LLVM can fold
// and move them.

#ifndef HET_LIB_FRONTEND_LIBRARYCALLS_H
#define HET_LIB_FRONTEND_LIBRARYCALLS_H

#include "het/Frontend/Frontend.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

#include <functional>

namespace het {

constexpr llvm::StringLiteral mathMarkerPrefix = "het.math.";

/// Creates a call of a marker function.
llvm::Value *createMathCall(llvm::IRBuilder<> &builder, llvm::StringRef function,
                            bool approximate, llvm::ArrayRef<llvm::Value *> arguments,
                            llvm::Type *result);

/// One call that is being replaced: its arguments and the place of the new
/// instructions.
struct LibraryCall {
  llvm::CallInst &call;
  llvm::IRBuilder<> builder;
  const CompileOptions &options;

  LibraryCall(llvm::CallInst &call, const CompileOptions &options)
      : call(call), builder(&call), options(options) {}

  llvm::Value *argument(unsigned i) const { return call.getArgOperand(i); }
  llvm::Type *type() const { return call.getType(); }

  /// A call of an LLVM intrinsic overloaded on the first argument's type.
  llvm::Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments);
  /// A call of a marker function.
  llvm::Value *math(llvm::StringRef function, bool approximate,
                    llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *result) {
    return createMathCall(builder, function, approximate, arguments, result);
  }
};

/// Makes the value that replaces a call; null for a call without a result.
using LibraryHandler = std::function<llvm::Value *(LibraryCall &)>;
using LibraryTable = llvm::StringMap<LibraryHandler>;

/// Fill in the groups of functions, under their names without `__nv_`.
void addLibraryMath(LibraryTable &table);
void addLibraryArithmetic(LibraryTable &table);
void addLibraryConversions(LibraryTable &table);
void addLibraryBuiltins(LibraryTable &table);

/// The table's name of a declared function that a builtin of Clang's has become; "" for
/// any other.
std::string builtinName(const llvm::Function &function);

/// modf: the fraction, which keeps the sign, also of zero, and the integral part.
std::pair<llvm::Value *, llvm::Value *> splitIntegral(LibraryCall &call);

/// PTX's prmt in its plain mode: each nibble of the selector picks a byte of the
/// eight in high:low, or its sign.
llvm::Value *permuteBytes(llvm::IRBuilder<> &builder, llvm::Value *low, llvm::Value *high,
                          llvm::Value *selector);

/// Gives plain conversions to integers CUDA's result also where C has none.
void pinConversions(llvm::Module &module);

/// Replaces every call that has a meaning; others stay, to be refused later.
void expandLibraryCalls(llvm::Module &module, const CompileOptions &options);

} // namespace het

#endif // HET_LIB_FRONTEND_LIBRARYCALLS_H
