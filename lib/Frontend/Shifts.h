// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts that have a result whatever their amount is.

#ifndef HET_LIB_FRONTEND_SHIFTS_H
#define HET_LIB_FRONTEND_SHIFTS_H

#include "llvm/IR/IRBuilder.h"

namespace het {

/// Makes a shift that gives 0, or the sign, where the low 32 bits of its amount are the
/// width or more.
llvm::Value *createShift(llvm::IRBuilder<> &builder, llvm::Instruction::BinaryOps opcode,
                         llvm::Value *value, llvm::Value *amount);

} // namespace het

#endif // HET_LIB_FRONTEND_SHIFTS_H
