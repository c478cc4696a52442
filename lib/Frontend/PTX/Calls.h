// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How functions of a module are called: scalars go as values, arrays by their addresses.

#ifndef HET_LIB_FRONTEND_PTX_CALLS_H
#define HET_LIB_FRONTEND_PTX_CALLS_H

#include "Syntax.h"

#include "llvm/IR/DerivedTypes.h"

namespace het::ptx {

/// Whether a parameter or result is an array, of which the address is passed.
bool isByAddress(const Variable &variable);
/// The type in LLVM of a scalar; of others, their bytes.
llvm::Type *typeOf(const Variable &variable, llvm::LLVMContext &context);
/// The function's type; null if there is more than one result. The address of a result
/// that is an array comes first. A kernel's parameters of floating point are such.
llvm::FunctionType *functionTypeOf(const Signature &signature, llvm::LLVMContext &context,
                                   bool isEntry = false);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_CALLS_H
