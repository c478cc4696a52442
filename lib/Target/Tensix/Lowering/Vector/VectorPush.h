// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of the vector unit as the core's: instructions that push it.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORPUSH_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORPUSH_H

#include "VectorKernel.h"
#include "VectorMath.h"
#include "llvm/ADT/MapVector.h"

namespace het::tensix {

/// The slots that values may have; the rest is the routines'.
constexpr unsigned valueSlots = 20;

/// A piece of code with the core's values that go into it.
struct VectorPiece {
  VectorCode code;
  llvm::MapVector<llvm::Value *, unsigned> scalars;
  bool usesThreads = false; ///< Scalar 0 is the place of a step's first thread.

  /// A value that all threads of a row share, in all lanes.
  Lanes broadcast(llvm::Value *value);
  /// The place of each thread in its block.
  Lanes threads();
};

/// Pushes the piece before `at`, once for every 32 threads that run. False where its
/// values do not fit into registers and slots.
bool pushPiece(VectorPiece &piece, llvm::ArrayRef<unsigned> freeSlots,
               llvm::Instruction *at, const RowBounds &bounds, bool collectsDoubts);

/// No doubts, before `at`.
void clearDoubts(llvm::Instruction *at);

/// The function that pushes a routine; of the module, or a new one.
llvm::Function *getRoutine(llvm::Module &module, Routine routine);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORPUSH_H
