// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over a kernel's LLVM IR that make it code that PTX has.

#ifndef HET_LIB_TARGET_PTX_LOWERING_PASSES_H
#define HET_LIB_TARGET_PTX_LOWERING_PASSES_H

#include "ConvertToPTX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace het::ptx {

/// LLVM's NVPTX back end.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Machine &machine);

/// Makes the kernels ones of blocks of this shape. After the device library is linked.
void setBlockShape(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                   const std::array<uint32_t, 3> &block);

/// Hides divisors of up to 32 bits from LLVM that it may see to be zero or -1.
void hideDivisors(llvm::Module &module);
/// Adds a pass that shows LLVM those hidden divisors that have become harmless constants.
void showConstantDivisors(llvm::PassBuilder &builder);

/// Marks assembly to which all lanes of a team must come together.
void keepTeamsTogether(llvm::Module &module);
/// Makes conversions that saturate the machine's own.
void convertSaturating(llvm::Module &module);
/// Makes loops of atomic operations on shared memory that the machine does not have.
void expandSharedAtomics(llvm::Module &module);
/// Whether the machine has an instruction for atomic additions of this small type.
bool addsAtomically(llvm::Type *type, const Machine &machine);
/// Makes those additions instructions, which LLVM's back end has not for pairs.
void addSmallFloatsAtomically(llvm::Module &module);
/// Replaces bit operations in the device library's functions on bytes within words by the
/// machine's instructions for these.
void useByteInstructions(llvm::Module &module);
/// Gives atomic operations their order by fences.
void orderAtomics(llvm::Module &module);
/// Has lanes that call a function that may call itself meet behind the call.
void meetAfterRecursiveCalls(llvm::Module &module);
/// Keeps products whose upper halves are 64-bit numbers from becoming `mul.hi`.
void keepWideProducts(llvm::Module &module);
/// Keeps differences of shifted numbers from becoming rotations.
void keepShiftedDifferences(llvm::Module &module);
/// Makes copies of structures loads and stores (VectorCopies.cpp).
void copyByVectors(llvm::Module &module);
/// Extends indices by their sign, where that is the same, so that loops share pointers.
void extendIndicesBySign(llvm::Module &module);
/// Makes shifts with a test of their amount the machine's own, which clamp it.
void clampShifts(llvm::Module &module);

/// Has the loops that read memory unrolled further than LLVM would.
void chooseUnrollCounts(llvm::PassBuilder &builder);
/// Tells ptxas which loops not to unroll, after LLVM: not those with products of
/// matrices, nor the rounds that are left over of what LLVM has unrolled.
void chooseLoopsOfPtxas(llvm::PassBuilder &builder);

/// Fails where there are atomics that the machine lacks.
llvm::Error checkAtomics(llvm::Module &module, const Machine &machine);
/// Runs the passes that LLVM's back end needs over an optimised module, in their order.
llvm::Error legalise(llvm::Module &module, const Machine &machine);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_LOWERING_PASSES_H
