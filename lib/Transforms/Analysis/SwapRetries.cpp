// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks round a loop from its header, but for the edges that are taken only where a
// compare-and-swap of a fresh value has failed.

#include "SwapRetries.h"
#include "IncomingValue.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace het::transforms {
namespace {

class Retries {
public:
  explicit Retries(CFGLoop *loop) : loop(loop) {
    for (Block *block : loop->getBlocks())
      for (auto swap : block->getOps<LLVM::AtomicCmpXchgOp>())
        if (expectsFresh(swap))
          fresh.insert(swap);
  }

  bool endLoop() const {
    if (fresh.empty())
      return false;
    llvm::SetVector<Block *> blocks;
    blocks.insert(loop->getHeader());
    for (size_t i = 0; i < blocks.size(); ++i)
      for (auto [index, next] : llvm::enumerate(blocks[i]->getSuccessors())) {
        if (!loop->contains(next) || failsBefore(blocks[i], index))
          continue;
        if (next == loop->getHeader())
          return false;
        blocks.insert(next);
      }
    return true;
  }

private:
  /// What is read at the place of the compare-and-swap.
  static bool isReadAt(Operation *op, Value place) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return load.getAddr() == place;
    if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
      return update.getPtr() == place;
    auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(op);
    return swap && swap.getPtr() == place;
  }

  /// Whether what is expected has been read in the loop, and of nothing else.
  bool expectsFresh(LLVM::AtomicCmpXchgOp swap) const {
    llvm::SetVector<Value> values;
    values.insert(swap.getCmp());
    bool isRead = false;
    for (size_t i = 0; i < values.size(); ++i) {
      Value needed = values[i];
      if (!loop->contains(needed.getParentBlock()))
        continue;
      if (auto argument = dyn_cast<BlockArgument>(needed)) {
        Block *block = argument.getOwner();
        for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
          if (!loop->contains(*it))
            continue;
          Value value = incomingValue(argument, it);
          if (!value)
            return false;
          values.insert(value);
        }
        continue;
      }
      Operation *op = needed.getDefiningOp();
      if (isReadAt(op, swap.getPtr()))
        isRead = true;
      else if (isPure(op))
        values.insert(op->operand_begin(), op->operand_end());
      else
        return false;
    }
    return isRead;
  }

  LLVM::AtomicCmpXchgOp swapOf(Value value, int64_t part) const {
    auto extract = value.getDefiningOp<LLVM::ExtractValueOp>();
    if (!extract || extract.getPosition() != ArrayRef<int64_t>{part})
      return {};
    auto swap = extract.getContainer().getDefiningOp<LLVM::AtomicCmpXchgOp>();
    return swap && fresh.contains(swap) ? swap : LLVM::AtomicCmpXchgOp();
  }

  /// Whether a compare-and-swap has failed where `condition` is `value`.
  bool tellsFailure(Value condition, bool value) const {
    if (swapOf(condition, 1))
      return !value;
    Operation *op = condition.getDefiningOp();
    if (auto compare = dyn_cast_or_null<LLVM::ICmpOp>(op)) {
      const bool isEqual = compare.getPredicate() == LLVM::ICmpPredicate::eq;
      if (!isEqual && compare.getPredicate() != LLVM::ICmpPredicate::ne)
        return false;
      Value left = compare.getLhs(), right = compare.getRhs();
      auto isTest = [&](Value old, Value expected) {
        auto swap = swapOf(old, 0);
        return swap && swap.getCmp() == expected;
      };
      return value != isEqual && (isTest(left, right) || isTest(right, left));
    }
    auto either = [&](Value a, Value b) {
      return tellsFailure(a, value) || tellsFailure(b, value);
    };
    if (auto both = dyn_cast_or_null<LLVM::AndOp>(op); both && value)
      return either(both.getLhs(), both.getRhs());
    if (auto any = dyn_cast_or_null<LLVM::OrOp>(op); any && !value)
      return either(any.getLhs(), any.getRhs());
    if (auto flip = dyn_cast_or_null<LLVM::XOrOp>(op);
        flip && matchPattern(flip.getRhs(), m_One()))
      return tellsFailure(flip.getLhs(), !value);
    if (auto select = dyn_cast_or_null<LLVM::SelectOp>(op)) {
      if (value && matchPattern(select.getFalseValue(), m_Zero()))
        return either(select.getCondition(), select.getTrueValue());
      if (!value && matchPattern(select.getTrueValue(), m_One()))
        return either(select.getCondition(), select.getFalseValue());
    }
    return false;
  }

  bool failsBefore(Block *block, unsigned successor) const {
    auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator());
    return branch && branch.getTrueDest() != branch.getFalseDest() &&
           tellsFailure(branch.getCondition(), successor == 0);
  }

  CFGLoop *loop;
  llvm::SmallPtrSet<Operation *, 2> fresh; ///< Swaps of what has just been read.
};

} // namespace

bool endsBySwaps(CFGLoop *loop) { return Retries(loop).endLoop(); }

} // namespace het::transforms
