// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local objects and recomputable values, brought to the kernel's entry.

#include "LocalObjects.h"
#include "het/IR/Module.h"
#include "het/Transforms/Recompute.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace het::transforms {

namespace {

/// Moves computations to the entry block, each behind the last of what it needs. What
/// comes behind one of its operations is a group, so that nobody asks for an order that
/// each move would make anew.
class Hoister {
public:
  explicit Hoister(Block &entry) : entry(entry), last{nullptr} {
    for (Operation &op : entry) {
      groups[&op] = last.size();
      last.push_back(&op);
    }
  }

  /// Moves that of `value` and of what it needs; returns its group.
  unsigned hoist(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() == &entry)
      return groups.lookup(op);
    unsigned group = 0;
    for (Value operand : op->getOperands())
      group = std::max(group, hoist(operand));
    if (last[group])
      op->moveAfter(last[group]);
    else
      op->moveBefore(&entry.front());
    last[group] = op;
    groups[op] = group;
    return group;
  }

private:
  Block &entry;
  SmallVector<Operation *>
      last; ///< Last of each group; the first group is the block's beginning.
  DenseMap<Operation *, unsigned> groups;
};

} // namespace

void hoistLocals(Block &entry) {
  auto locals = llvm::to_vector(entry.getOps<LLVM::AllocaOp>());
  for (LLVM::AllocaOp local : llvm::reverse(locals)) {
    auto count = local.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    if (!count)
      continue;
    local->moveBefore(&entry.front());
    if (count->getBlock() == &entry)
      count->moveBefore(&entry.front());
  }
}

void hoistRecomputable(LLVM::LLVMFuncOp kernel) {
  Recompute recompute;
  Block &entry = kernel.getBody().front();
  SmallVector<Value> values;
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (op->getBlock() != &entry && recompute.isRecomputable(result) &&
          !result.use_empty())
        values.push_back(result);
  });
  Hoister hoister(entry);
  for (Value value : values)
    hoister.hoist(value);
}

/// Whether a byval argument's memory is only read.
static bool isOnlyRead(Value pointer) {
  return llvm::all_of(pointer.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LLVM::LoadOp>(user))
      return true;
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user))
      return isOnlyRead(user->getResult(0));
    return isa<LLVM::MemcpyOp, LLVM::MemmoveOp>(user) && use.getOperandNumber() == 1;
  });
}

void copyWrittenArguments(LLVM::LLVMFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  auto safePoint = *entry.getOps<ir::SafePointOp>().begin();
  for (BlockArgument argument : entry.getArguments()) {
    auto type = kernel.getArgAttrOfType<TypeAttr>(argument.getArgNumber(),
                                                  LLVM::LLVMDialect::getByValAttrName());
    bool isCommon =
        kernel.getArgAttr(argument.getArgNumber(), ir::gridConstantAttrName) != nullptr;
    if (!type || isCommon || isOnlyRead(argument))
      continue;
    ImplicitLocOpBuilder builder(kernel.getLoc(), &entry, entry.begin());
    DataLayout layout = DataLayout::closest(kernel);
    Value one = LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                         builder.getI32IntegerAttr(1));
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    auto alignment = kernel.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
    Value copy = LLVM::AllocaOp::create(
        builder, pointer, type.getValue(), one,
        alignment ? alignment.getInt() : layout.getTypeABIAlignment(type.getValue()));
    argument.replaceAllUsesWith(copy);
    builder.setInsertionPointAfter(safePoint);
    Value size = LLVM::ConstantOp::create(
        builder, builder.getI64IntegerAttr(layout.getTypeSize(type.getValue())));
    LLVM::MemcpyOp::create(builder, copy, argument, size, false);
  }
}

} // namespace het::transforms
