// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and emulates LLVM IR's operations on numbers of 64 bits, for devices without
// them.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_FP64_DOUBLES_H
#define HET_LIB_TARGET_SPIRV_LOWERING_FP64_DOUBLES_H

#include "llvm/IR/Instruction.h"

namespace het::spirv {

bool usesDouble(const llvm::Instruction &instruction);
/// Whether an instruction that uses such numbers only moves them, looks at their bits,
/// turns their signs or makes them of smaller ones: integers do it as well.
bool movesDouble(const llvm::Instruction &instruction);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_FP64_DOUBLES_H
