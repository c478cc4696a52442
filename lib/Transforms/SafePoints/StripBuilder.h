// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the parts of strip-mined loops that all kinds of strips have.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_STRIPBUILDER_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_STRIPBUILDER_H

#include "PollPlan.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::transforms {

class StripBuilder {
protected:
  StripBuilder(mlir::LLVM::LLVMFuncOp kernel, PollPlan planned)
      : kernel(kernel), builder(kernel.getLoc(), kernel.getContext()),
        plan(std::move(planned)), work(plan.loops.size()) {}

  /// A block in front of another one, with its arguments.
  mlir::Block *blockLike(mlir::Block *other);
  /// A block, without an end, on all ways to another one but those from `latches`.
  mlir::Block *enterBy(mlir::Block *to, llvm::ArrayRef<mlir::Block *> latches);
  static void redirect(llvm::ArrayRef<mlir::Block *> from, mlir::Block *oldTo,
                       mlir::Block *newTo);
  /// Puts the builder before the end of a block on the way to a successor.
  void onEdge(mlir::Block *from, unsigned index);
  /// Lets the latch's way out lead to a block that asks whether the loop has ended, or is
  /// to be polled. Returns the latter's block.
  mlir::Block *leaveBy(const PolledLoop &loop, mlir::LLVM::CondBrOp latch, unsigned stay,
                       mlir::Value condition);
  /// Notes what a loop without strips would have instead of an operation: an operand, or
  /// the only successor.
  void markStrip(const PolledLoop &loop, mlir::Operation *op, unsigned kept);

  /// The launch's poll interval, or what lanes that are apart have of it, divided and
  /// rounded down.
  mlir::Value partOfInterval(unsigned divisor);
  /// How many rounds a strip has; where many are expected, so that a loop that a compiler
  /// has unrolled has no rounds left at the end.
  mlir::Value roundsOf(const PolledLoop &loop);
  /// The work of a strip of whole rounds.
  mlir::Value lengthOf(const PolledLoop &loop);
  mlir::LLVM::AllocaOp workOf(const PolledLoop &loop);
  void charge(const PolledLoop &outer, mlir::Value more, bool givesBack = false);
  void promoteWork();

  mlir::Value constant(int64_t value, mlir::Type type) {
    return mlir::LLVM::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
  }
  mlir::Value constant(unsigned value) { return constant(value, builder.getI32Type()); }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::LLVM::AddOp::create(builder, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::LLVM::SubOp::create(builder, a, b);
  }
  mlir::Value load(mlir::LLVM::AllocaOp sum) {
    return mlir::LLVM::LoadOp::create(builder, builder.getI32Type(), sum);
  }
  mlir::Value toI32(mlir::Value value) {
    mlir::Type type = builder.getI32Type();
    return value.getType() == type ? value
                                   : mlir::LLVM::TruncOp::create(builder, type, value);
  }
  /// A constant may stand inside of the loop.
  mlir::Value outside(mlir::Value invariant) {
    auto inside = invariant.getDefiningOp<mlir::LLVM::ConstantOp>();
    return inside ? builder.clone(*inside)->getResult(0) : invariant;
  }

  mlir::LLVM::LLVMFuncOp kernel;
  mlir::ImplicitLocOpBuilder builder;
  PollPlan plan;
  /// What loops have done since they were entered; it becomes values at the end.
  llvm::SmallVector<mlir::LLVM::AllocaOp> work;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_STRIPBUILDER_H
