// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's instructions in the vector unit's operations, one at a time.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORSELECT_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORSELECT_H

#include "VectorKernel.h"
#include "VectorMath.h"

namespace het::tensix {

/// Values that lanes can hold: of 32 bits, and truths as 0 and 1.
bool isLaneType(const llvm::Type *type);

/// Adds what an instruction computes to the code. `lanesOf` is asked for operands.
/// Nothing where it has no meaning in lanes.
std::optional<Lanes> selectLanes(VectorCode &code, const llvm::Instruction &inst,
                                 llvm::function_ref<Lanes(llvm::Value *)> lanesOf,
                                 Floats floats);

/// A person's name for an instruction that selectLanes has no meaning for.
std::string describe(const llvm::Instruction &inst);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORSELECT_H
