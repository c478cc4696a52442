// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special registers: %tid.x, %laneid and their kin.

#ifndef HET_LIB_FRONTEND_PTX_SPECIALREGISTERS_H
#define HET_LIB_FRONTEND_PTX_SPECIALREGISTERS_H

#include "llvm/IR/IRBuilder.h"

namespace het::ptx {

/// Reads a register by its name with the percent sign; null if none is known.
llvm::Value *readSpecialRegister(llvm::IRBuilder<> &b, llvm::StringRef name);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_SPECIALREGISTERS_H
