// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The carry of add.cc and its kin between asm statements.

#ifndef HET_LIB_FRONTEND_PTX_CARRIES_H
#define HET_LIB_FRONTEND_PTX_CARRIES_H

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace het {

/// Makes the carry a value of each function that uses it. After functions are inlined.
void keepCarriesInFunctions(llvm::Module &module);

namespace ptx {

/// Where the statements of a module leave the carry for each other.
llvm::GlobalVariable *carryVariable(llvm::Module &module);

/// Does the same at once if no statement takes the carry of another one, else has the
/// functions inlined that pass it. After all statements have been expanded.
void settleCarries(llvm::Module &module);

} // namespace ptx
} // namespace het

#endif // HET_LIB_FRONTEND_PTX_CARRIES_H
