// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of emitVectors while it goes over one function.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTOREMIT_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTOREMIT_H

#include "VectorPush.h"
#include "VectorSelect.h"

namespace het::tensix {

class VectorEmission {
public:
  VectorEmission(llvm::Function &function, const RowBounds &bounds, Floats floats);
  Reason run();

private:
  void findNeeded();
  Reason check() const;
  void emit(llvm::Instruction *inst);
  void push(llvm::Instruction *at);
  void release();
  void leave(llvm::BasicBlock *original, llvm::Instruction *terminator);
  void erase();
  std::optional<unsigned> giveSlot(llvm::Value *value);
  Lanes lanesOf(llvm::Value *value);
  bool livesOn(llvm::Instruction *inst) const;

  // VectorMemory.cpp
  void emitLoad(llvm::LoadInst *load);
  void emitStore(llvm::StoreInst *store);
  void returnIfDoubtful(llvm::Instruction *at);
  /// A block for one transfer and one for a word after the other, if both may be asked
  /// for; null where one of them never is.
  struct Ways {
    llvm::Instruction *atOnce, *byWords;
  };
  Ways chooseWay(llvm::Value *pointer, llvm::Align alignment, llvm::Instruction *at,
                 llvm::Value *count);
  void transfer(llvm::StringRef name, llvm::Value *pointer, llvm::Value *count,
                unsigned slot, llvm::Instruction *at);

  llvm::Function &function;
  const RowBounds &bounds;
  Divergence divergence;
  ThreadValue threads;
  llvm::DenseSet<const llvm::Instruction *> needed, done;
  llvm::DenseSet<std::pair<const llvm::PHINode *, const llvm::Value *>> edgesDone;
  llvm::DenseMap<const llvm::Instruction *, llvm::BasicBlock *> homes;
  llvm::MapVector<llvm::Value *, unsigned> slots;
  llvm::SmallVector<unsigned> freeSlots;
  llvm::Value *kept = nullptr; ///< Keeps its slot whoever asks for it.
  VectorPiece piece;           ///< That is not pushed yet, with what it defines:
  llvm::DenseMap<llvm::Value *, Lanes> lanes;
  llvm::SmallVector<llvm::Instruction *> defined;
  const Floats floats;
  Reason reason;
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTOREMIT_H
