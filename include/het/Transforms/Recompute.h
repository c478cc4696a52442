// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a kernel need no slot in a lane's state, because they can be
// computed again wherever they are needed: constants, arguments, positions, and
// short chains of integer arithmetic over them (docs/spec/hetir.md, Safe points).

#ifndef HET_TRANSFORMS_RECOMPUTE_H
#define HET_TRANSFORMS_RECOMPUTE_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace het::transforms {

/// Answers for the values of one kernel; remembers what it has found, so it must
/// not outlive a change of the kernel.
class Recompute {
public:
  /// True for kernel arguments, constants, position operations, local objects
  /// (`llvm.alloca` in the entry block) and chains over them of at most
  /// `maxOperations` cheap operations.
  bool isRecomputable(mlir::Value value);

  /// Makes `value` available at the builder's place and returns it. Operations
  /// that are not yet in `mapping` are cloned in the order they need; the
  /// mapping gives arguments and local objects. `value` is recomputable.
  static mlir::Value materialize(mlir::Value value, mlir::IRMapping &mapping,
                                 mlir::OpBuilder &builder);

  static constexpr unsigned maxOperations = 12;

private:
  unsigned cost(mlir::Value value);
  llvm::DenseMap<mlir::Value, unsigned> costs;
};

} // namespace het::transforms

#endif // HET_TRANSFORMS_RECOMPUTE_H
