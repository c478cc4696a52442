// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits a loop over lanes anew, several lanes at a time. The code of all ways follows one
// after another; a mask says for each block which of the lanes execute it.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVECTORIZER_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVECTORIZER_H

#include "LanePlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace het::host {

class LaneVectorizer {
public:
  explicit LaneVectorizer(LanePlan &plan);
  void run();

private:
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  using Blocks = llvm::SmallPtrSet<llvm::BasicBlock *, 16>;

  /// What has to be kept of a loop's lanes when they leave it.
  struct Leaving {
    llvm::PHINode *phi;        ///< Behind the loop.
    llvm::BasicBlock *exiting; ///< Where the lanes leave.
    llvm::PHINode *kept;       ///< What those that have left brought along.
    llvm::Value *next = nullptr;
  };
  /// A loop that is being emitted.
  struct OpenLoop {
    llvm::Loop *loop = nullptr;
    llvm::BasicBlock *header = nullptr;
    llvm::Value *entering = nullptr; ///< The mask of the lanes that enter.
    llvm::PHINode *mask = nullptr;   ///< Null: all stay to the end.
    llvm::SmallVector<Edge> exits;
    llvm::DenseMap<Edge, llvm::PHINode *> left; ///< Who has gone each way, of several.
    llvm::SmallVector<Leaving> leaving;
  };

  // Values (LaneValues.cpp)
  bool isVarying(llvm::Value *value) const { return plan.isVarying(value); }
  llvm::Type *vectorType(llvm::Type *type) const;
  llvm::Value *vectorOf(llvm::Value *value);
  llvm::Value *scalarOf(llvm::Value *value);
  llvm::Value *valueOf(llvm::Value *value, bool asVector);
  llvm::Value *incomingOf(llvm::PHINode &phi, const llvm::BasicBlock *from);
  llvm::Value *zero(llvm::Type *type) { return llvm::Constant::getNullValue(type); }
  llvm::Value *any(llvm::Value *mask);
  llvm::Value *both(llvm::Value *mask, llvm::Value *condition);
  llvm::Value *either(llvm::Value *a, llvm::Value *b);
  llvm::Value *negate(llvm::Value *condition);
  bool isSomeLane(llvm::Value *mask) const { return known.contains(mask); }

  // Instructions (LaneInstructions.cpp)
  void emit(llvm::Instruction &instruction);
  void emitUniform(llvm::Instruction &instruction);
  llvm::Value *emitVarying(llvm::Instruction &instruction);
  llvm::Value *emitAddress(llvm::GetElementPtrInst &address);
  llvm::Value *emitChoice(llvm::SelectInst &choice);
  llvm::Instruction *widen(llvm::Instruction &instruction);
  llvm::Value *emitDivision(llvm::BinaryOperator &division);
  llvm::Value *emitIntrinsic(llvm::IntrinsicInst &call);
  void emitEachLane(llvm::Instruction &instruction);
  llvm::Instruction *cloneForLane(llvm::Instruction &instruction, llvm::Value *lane);

  // Accesses (LaneAccesses.cpp)
  void emitAccess(llvm::Instruction &access);
  void emitUniformLoad(llvm::LoadInst &load);
  llvm::Value *emitContiguous(llvm::Instruction &access, llvm::Value *address);
  llvm::Value *emitScattered(llvm::Instruction &access);
  llvm::Value *emitNarrowGather(llvm::LoadInst &load, llvm::Value *pointers);
  llvm::Value *placeForNobody();

  // Control (LaneVectorizer.cpp, LaneControl.cpp)
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  llvm::Value *countLanes(llvm::Instruction *before);
  void copyObjects();
  void branchTo(llvm::BasicBlock *start, llvm::Value *count);
  llvm::Value *emitFirstMask(llvm::Value *lane, llvm::Value *count);
  void emitFirstPhis(llvm::Value *lane);
  void emitNodes(llvm::ArrayRef<llvm::BasicBlock *> order, llvm::Loop *loop);
  void emitNode(llvm::BasicBlock *block, llvm::Loop *loop);
  void emitBlock(llvm::BasicBlock *block);
  void emitPhis(llvm::BasicBlock *block);
  void emitEdges(llvm::BasicBlock *block);
  llvm::Value *maskOf(llvm::BasicBlock *block);
  bool isGuarded(llvm::BasicBlock *block, const Blocks &region);
  Blocks regionOf(llvm::BasicBlock *block, llvm::Loop *loop);
  void emitGuarded(llvm::Value *mask, const Blocks &region,
                   llvm::function_ref<void()> body);

  // Loops (LaneRounds.cpp)
  void emitLoop(llvm::Loop &loop);
  void emitRounds(OpenLoop &open);
  void openRound(OpenLoop &open);
  void closeRound(OpenLoop &open);
  void updateLeaving(OpenLoop &open);
  bool staysTogether(llvm::Loop &loop) const;

  LanePlan &plan;
  llvm::Loop &lanes;
  llvm::LoopInfo &loops;
  llvm::Function &function;
  const unsigned width;
  llvm::IRBuilder<> builder;
  llvm::SmallVector<llvm::BasicBlock *> order; ///< Of the loop's blocks.
  llvm::DenseMap<llvm::Value *, llvm::Value *> vectors, scalars;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks;
  llvm::DenseMap<Edge, llvm::Value *> edges;
  /// Of phis, where a value does not reach them as it was computed.
  llvm::DenseMap<std::pair<const llvm::PHINode *, const llvm::BasicBlock *>,
                 llvm::Value *>
      brought;
  llvm::DenseSet<llvm::Value *> known; ///< Masks that have some lane here.
  llvm::DenseMap<const llvm::Loop *, llvm::Value *> rounds;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> done;
  llvm::BasicBlock *scalarStart = nullptr; ///< Before the loop that there was.
  llvm::Value *firstLane = nullptr, *nobody = nullptr, *mask = nullptr;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVECTORIZER_H
