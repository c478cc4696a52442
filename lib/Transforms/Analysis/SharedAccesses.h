// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's accesses to shared memory, and the places that they lead to.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H

#include "LinearAddress.h"
#include "LoneBlocks.h"
#include "het/Transforms/UniformityAnalysis.h"

#include <limits>
#include <map>

namespace het::transforms {

/// An access and where it leads.
struct Access {
  Access(LinearAddress address, bool isStore, bool isVolatile)
      : address(std::move(address)), isStore(isStore), isVolatile(isVolatile) {}

  LinearAddress address;
  bool isStore, isVolatile;
  /// Equal for those that are a known distance apart: a constant, or that of columns.
  unsigned origin = 0;
  /// Equal for those in one column of an array whose rows are as wide as the block.
  unsigned column = 0;
  /// Whether the base is a variable, or the launch's dynamic memory; such a base is one
  /// value for all accesses.
  bool isInObject = false;
  bool isOwn = false;     ///< Whether it is in a thread's own array, or has no index.
  bool isUniform = false; ///< Whether it is one place for all lanes of a team.
  /// The lane's number, where neighbours access neighbouring elements; else null.
  mlir::Value lane;
  /// Bytes between the places of neighbours, or 1.
  int64_t stride = 1;

  /// Distance from others of the same origin, in bytes. Columns are far apart.
  int64_t offset() const {
    return (static_cast<int64_t>(column & 0x3fffff) << 40) + address.offset;
  }
  /// How far apart, in bytes, the places of a team's lanes are less than.
  int64_t reach() const {
    return address.terms.empty() ? std::numeric_limits<int64_t>::max() : 32 * stride;
  }
  bool mayBeInObjectOf(const Access &other) const {
    return !isInObject || !other.isInObject || address.base == other.address.base;
  }
};

/// Whether a value is a thread's number in the first dimension, or its last bits.
bool isLaneNumber(mlir::Value value);

class SharedAccesses {
public:
  SharedAccesses(mlir::LLVM::LLVMFuncOp kernel, const LoneBlocks &loneBlocks,
                 const UniformityAnalysis &uniformity);

  /// Those of an operation, in the order in which it makes them: a copy loads, then
  /// stores.
  llvm::ArrayRef<Access> of(mlir::Operation &op) const {
    auto it = accesses.find(&op);
    return it == accesses.end() ? llvm::ArrayRef<Access>() : it->second;
  }

private:
  /// A base and the terms added to it.
  using Sum =
      std::pair<const void *, llvm::SmallVector<std::pair<const void *, int64_t>>>;

  void collect(mlir::Operation &op);
  void add(mlir::Operation &op, mlir::Value pointer, mlir::Type type, bool isStore,
           bool isVolatile);
  void unifyBase(Access &access);
  void classify(Access &access, int64_t element) const;
  void nameLane(Access &access, mlir::Block *block, int64_t element) const;
  bool isColumn(const LinearAddress::Term &term) const;
  void number(Access &access);

  const LoneBlocks &loneBlocks;
  const UniformityAnalysis &uniformity;
  mlir::DataLayout layout;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Access, 1>> accesses;
  llvm::DenseMap<mlir::Attribute, mlir::Value> variables;
  mlir::Value dynamicMemory;
  std::map<Sum, unsigned> origins, columns;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_SHAREDACCESSES_H
