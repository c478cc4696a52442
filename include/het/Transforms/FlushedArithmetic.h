// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic that flushes (het/IR/FlushedArithmetic.h), for targets without such
// instructions.

#ifndef HET_TRANSFORMS_FLUSHEDARITHMETIC_H
#define HET_TRANSFORMS_FLUSHEDARITHMETIC_H

#include "het/IR/FlushedArithmetic.h"
#include "het/IR/HetIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace het::transforms {

/// Knows which floats can not be subnormal: results that are flushed, numbers of integers
/// and halves, and those chosen of such. Where a loop comes back to a value, that adds
/// nothing. What was known stays so while no definition goes.
class FlushedValues {
public:
  bool contains(mlir::Value value);

private:
  bool mayContain(mlir::Value value);
  bool isFlushed(mlir::Operation *op);
  bool addGiven(mlir::BlockArgument argument);
  bool add(mlir::ValueRange values);

  llvm::DenseSet<mlir::Value> flushed, others;
  llvm::DenseSet<mlir::Value> assumed; ///< In one search.
  llvm::SmallVector<mlir::Value> open; ///< Of that search: what is not looked at yet.
};

/// The operation itself on `operands`, without flushing; `function` is its name without
/// the suffix. A function that is no single operation is one of hetIR again.
mlir::Value computeUnflushed(mlir::ImplicitLocOpBuilder &builder, ir::MathOp op,
                             llvm::StringRef function, mlir::ValueRange operands);
/// Whether a function gives one of its operands, which are flushed before.
bool isChoice(llvm::StringRef function);

/// Replaces an operation that flushes by ones that do not. Returns the functions that are
/// among these.
llvm::SmallVector<ir::MathOp> expandFlushed(ir::MathOp op);
/// Replaces all of a module.
void expandFlushed(mlir::ModuleOp module);

} // namespace het::transforms

#endif // HET_TRANSFORMS_FLUSHEDARITHMETIC_H
