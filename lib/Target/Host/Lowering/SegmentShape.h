// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells functions that have been made alike: the same instructions in the same order,
// but for constants that an argument could be.

#ifndef HET_LIB_TARGET_HOST_LOWERING_SEGMENTSHAPE_H
#define HET_LIB_TARGET_HOST_LOWERING_SEGMENTSHAPE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace het::host {

/// Whether an operand may differ: a factor of 64 bits (a slot's place in the frame grows
/// with the block), an address's offset, or a number that is stored (as that of the safe
/// point that follows).
bool mayDiffer(const llvm::Use &use);

/// Compares a function with another one.
class SegmentShape {
public:
  SegmentShape(const llvm::Function &first, const llvm::Function &second)
      : first(first), second(second) {}

  /// Whether the two do the same, but for constants that may differ.
  bool areAlike();

private:
  bool haveLikeBlocks();
  bool areAlike(const llvm::Instruction &one, const llvm::Instruction &other);
  bool areAlike(const llvm::Use &one, const llvm::Use &other);
  bool haveLikeMetadata(const llvm::Instruction &one, const llvm::Instruction &other);
  bool isImage(const llvm::Metadata *one, const llvm::Metadata *other);

  const llvm::Function &first, &second;
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> values; ///< The second's.
  llvm::DenseMap<const llvm::Metadata *, const llvm::Metadata *> nodes, origins;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_SEGMENTSHAPE_H
