// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loop's blocks and exits, and assigns *registers* to values that are used
// behind the loop, or next in it. No thread has both kinds, so they share registers.

#include "VoteLayout.h"
#include "het/IR/Module.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace het::transforms {

Value VoteLayout::Exit::operand(unsigned argument) const {
  auto branch = cast<BranchOpInterface>(from->getTerminator());
  return branch.getSuccessorOperands(index)[argument];
}

VoteLayout::VoteLayout(LLVM::LLVMFuncOp kernel, Block *header, ArrayRef<Block *> latches,
                       Block *guard)
    : kernel(kernel), addresses(kernel) {
  findBlocks(header, latches);
  findExits();
  if (guard && !targets.empty())
    findGuard(guard, header);
  for (Value argument : header->getArguments())
    ofHeader.push_back(addRegisterFor(argument, /*isBehind=*/false));
  findUsedBehind();
  findArguments();
  if (targets.size() > 1)
    ofTarget =
        addRegister(IntegerType::get(kernel.getContext(), 32), {}, /*isBehind=*/true);
}

void VoteLayout::findBlocks(Block *header, ArrayRef<Block *> latches) {
  inside.insert(header);
  SmallVector<Block *> stack(latches);
  while (!stack.empty())
    if (Block *block = stack.pop_back_val(); inside.insert(block).second)
      llvm::append_range(stack, block->getPredecessors());
  for (Block &block : kernel.getBody())
    if (inside.contains(&block))
      blocks.push_back(&block);
}

/// Whether only threads of the loop come to a block, and none goes on.
bool VoteLayout::isTrap(Block *block) const {
  return isa<LLVM::UnreachableOp>(block->getTerminator()) &&
         llvm::all_of(block->getPredecessors(),
                      [&](Block *from) { return inside.contains(from); });
}

void VoteLayout::findExits() {
  for (Block *block : blocks)
    for (auto [index, target] : llvm::enumerate(block->getSuccessors()))
      if (!isBefore(target))
        addExit(block, index, /*isGuard=*/false);
}

void VoteLayout::addExit(Block *from, unsigned index, bool isGuard) {
  Block *target = from->getSuccessor(index);
  targets.insert(target);
  const unsigned number = llvm::find(targets, target) - targets.begin();
  exits.push_back({from, index, number, isGuard});
}

void VoteLayout::findGuard(Block *guard, Block *header) {
  for (unsigned index = 0; index < 2; ++index)
    if (Block *next = guard->getSuccessor(1 - index);
        next == header || llvm::is_contained(header->getPredecessors(), next)) {
      before = next == header ? nullptr : next;
      return addExit(guard, index, /*isGuard=*/true);
    }
  llvm_unreachable("a guard does not lead to its loop");
}

unsigned VoteLayout::addRegister(Type type, Value object, bool isBehind) {
  if (isBehind && !object)
    for (auto [number, one] : llvm::enumerate(registers))
      if (one.type == type && !one.object && !one.isBehind) {
        one.isBehind = true;
        return number;
      }
  registers.push_back({type, object, isBehind});
  return registers.size() - 1;
}

/// One for all these values, of which a thread has one.
unsigned VoteLayout::addRegisterFor(ValueRange values, bool isBehind) {
  const Type type = values.front().getType();
  Value object;
  if (isa<LLVM::LLVMPointerType>(type))
    for (auto [index, value] : llvm::enumerate(values)) {
      std::optional<Value> found = addresses.objectOf(value);
      const bool isSame =
          found && (index == 0 || *found == object ||
                    (*found && object && ObjectAddresses::areSame(*found, object)));
      hasObjects &= isSame;
      object = found.value_or(Value());
    }
  return addRegister(type, object, isBehind);
}

void VoteLayout::keep(Value value) {
  if (recompute.isRecomputable(value))
    computed.insert(value);
  else if (!kept.contains(value))
    kept[value] = addRegisterFor(value, /*isBehind=*/true);
}

void VoteLayout::findUsedBehind() {
  auto keepIfUsed = [&](Value value) {
    if (llvm::any_of(value.getUsers(),
                     [&](Operation *user) { return !isBefore(user->getBlock()); }))
      keep(value);
  };
  for (Block *block : blocks) {
    llvm::for_each(block->getArguments(), keepIfUsed);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), keepIfUsed);
  }
}

void VoteLayout::findArguments() {
  for (auto [number, target] : llvm::enumerate(targets)) {
    SmallVector<Argument> &ofTarget = arguments.emplace_back();
    for (unsigned place = 0; place < target->getNumArguments(); ++place) {
      llvm::SetVector<Value> values;
      for (const Exit &exit : exits)
        if (exit.target == number)
          values.insert(exit.operand(place));
      if (values.size() > 1) {
        ofTarget.push_back({{}, addRegisterFor(values.getArrayRef(), /*isBehind=*/true)});
        continue;
      }
      Value value = values.front();
      ofTarget.push_back({value});
      if (inside.contains(value.getParentBlock()))
        keep(value);
    }
  }
}

} // namespace het::transforms
