// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides by cost which values are computed again, and clones what computes them. The set
// is part of what a safe point's live values are, so it may grow only with the dialect's
// version.

#include "het/Transforms/Recompute.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::transforms {

static constexpr unsigned never = ~0u;

/// Constants and positions: no operands, no cost.
static bool isSource(Operation *op) {
  return isa<LLVM::ConstantOp, LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp,
             LLVM::AddressOfOp, ir::ThreadIdOp, ir::BlockIdOp, ir::BlockDimOp,
             ir::GridDimOp, ir::LaneIdOp, ir::TeamIdOp, ir::TeamSizeOp, ir::CooperativeOp,
             ir::ClusterDimOp, ir::ClusterGivenOp, ir::DynamicSharedOp,
             ir::PollIntervalOp>(op);
}

/// One or two cycles each, no memory, no trap.
static bool isCheap(Operation *op) {
  return isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::ShlOp, LLVM::LShrOp,
             LLVM::AShrOp, LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::ICmpOp,
             LLVM::SelectOp, LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::GEPOp,
             LLVM::AddrSpaceCastOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::BitcastOp>(
      op);
}

static bool isLocalObject(Operation *op) {
  auto alloca = dyn_cast<LLVM::AllocaOp>(op);
  return alloca && alloca->getBlock()->isEntryBlock();
}

unsigned Recompute::cost(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() ? 0 : never;
  Operation *op = value.getDefiningOp();
  if (isSource(op) || isLocalObject(op))
    return 0;
  if (!isCheap(op))
    return never;
  auto [it, isNew] = costs.try_emplace(value, never);
  if (!isNew)
    return it->second;
  unsigned sum = 1;
  for (Value operand : op->getOperands()) {
    unsigned c = cost(operand);
    if (c == never || sum + c > maxOperations)
      return never;
    sum += c;
  }
  return costs[value] = sum;
}

bool Recompute::isRecomputable(Value value) { return cost(value) != never; }

Value Recompute::materialize(Value value, IRMapping &mapping, OpBuilder &builder) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    materialize(operand, mapping, builder);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

} // namespace het::transforms
