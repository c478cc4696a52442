// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits a loop over lanes anew, several lanes at a time. The code of all ways follows one
// after another; a mask says for each block which of the lanes execute it.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVECTORIZER_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVECTORIZER_H

#include "LaneInstructions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace het::host {

class LaneVectorizer : LaneInstructions {
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

  // The loop over lanes (LaneVectorizer.cpp)
  llvm::Value *countLanes(llvm::Instruction *before);
  void copyObjects();
  void branchTo(llvm::BasicBlock *start, llvm::Value *count);
  llvm::Value *emitFirstMask(llvm::Value *lane, llvm::Value *count);
  void emitFirstPhis(llvm::Value *lane);

  // Blocks (LaneControl.cpp)
  llvm::Value *incomingOf(llvm::PHINode &phi, const llvm::BasicBlock *from);
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

  llvm::SmallVector<llvm::BasicBlock *> order; ///< Of the loop's blocks.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks;
  llvm::DenseMap<Edge, llvm::Value *> edges;
  /// Of phis, where a value does not reach them as it was computed.
  llvm::DenseMap<std::pair<const llvm::PHINode *, const llvm::BasicBlock *>,
                 llvm::Value *>
      brought;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> done;
  llvm::BasicBlock *scalarStart = nullptr; ///< Before the loop that there was.
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEVECTORIZER_H
