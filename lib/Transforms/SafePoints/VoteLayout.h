// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes through a loop's vote (VoteOnLoops.cpp): where the loop is left, and the
// values that threads keep until all have left it.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_VOTELAYOUT_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_VOTELAYOUT_H

#include "../Analysis/ObjectAddresses.h"
#include "het/Transforms/Recompute.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace het::transforms {

/// What a vote is made of; says nothing more once the kernel has changed.
class VoteLayout {
public:
  /// A value that a thread keeps until the vote's end.
  struct Register {
    mlir::Type type;
    mlir::Value object;    ///< Object of an address (ObjectAddresses.h), or null.
    bool isBehind = false; ///< Whether a value that is used behind the loop has it.
  };

  /// Where a loop is left, or passed by.
  struct Exit {
    mlir::Block *from;
    unsigned index;  ///< Which of its successors.
    unsigned target; ///< Number of that block.
    bool isGuard = false;

    /// What an argument of the target gets from here.
    mlir::Value operand(unsigned argument) const;
  };

  /// What an argument of a block behind the loop gets.
  struct Argument {
    mlir::Value value;  ///< Value from all exits; null: each has another one.
    unsigned place = 0; ///< Number of the register, if there is no value.
  };

  VoteLayout(mlir::LLVM::LLVMFuncOp kernel, mlir::Block *header,
             llvm::ArrayRef<mlir::Block *> latches, mlir::Block *guard);

  /// Whether each address has one object, on all ways, and the loop is left at all.
  bool isPossible() const { return hasObjects && !targets.empty(); }

  /// Whether a block's code is not behind the vote: it is in the loop, or threads that
  /// come from there do not go on from it.
  bool isBefore(mlir::Block *block) const {
    return inside.contains(block) || isTrap(block);
  }

  llvm::SmallVector<mlir::Block *>
      blocks; ///< Blocks of the loop, in the order of the code.
  llvm::SmallVector<Exit> exits;
  llvm::SetVector<mlir::Block *> targets;
  llvm::SmallVector<llvm::SmallVector<Argument>>
      arguments; ///< For each target, its arguments.
  llvm::SmallVector<Register> registers;
  llvm::SmallVector<unsigned> ofHeader; ///< Registers of the header's arguments.
  llvm::MapVector<mlir::Value, unsigned>
      kept; ///< Registers of values that are used behind the loop.
  llvm::SetVector<mlir::Value>
      computed; ///< Values that are used, and computed again, behind the loop.
  mlir::Block *before = nullptr; ///< Block by which a guard leads to the loop.
  std::optional<unsigned>
      ofTarget; ///< Register of the target's number, if there are several.

private:
  void findBlocks(mlir::Block *header, llvm::ArrayRef<mlir::Block *> latches);
  bool isTrap(mlir::Block *block) const;
  void findExits();
  void addExit(mlir::Block *from, unsigned index, bool isGuard);
  void findGuard(mlir::Block *guard, mlir::Block *header);
  void findUsedBehind();
  void findArguments();
  void keep(mlir::Value value);
  unsigned addRegister(mlir::Type type, mlir::Value object, bool isBehind);
  unsigned addRegisterFor(mlir::ValueRange values, bool isBehind);

  mlir::LLVM::LLVMFuncOp kernel;
  ObjectAddresses addresses;
  Recompute recompute;
  llvm::SmallPtrSet<mlir::Block *, 16> inside;
  bool hasObjects = true;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_VOTELAYOUT_H
