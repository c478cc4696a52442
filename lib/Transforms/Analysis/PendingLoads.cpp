// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that reach blocks with no sync point between: a fixed point over the graph.

#include "PendingLoads.h"
#include "het/IR/Module.h"

using namespace mlir;
using namespace het;
using namespace het::transforms;

PendingLoads::PendingLoads(LLVM::LLVMFuncOp kernel, const SharedAccesses &accesses,
                           const LoneBlocks &loneBlocks,
                           const llvm::SmallPtrSetImpl<Block *> &stops)
    : accesses(accesses), loneBlocks(loneBlocks) {
  Region &body = kernel.getBody();
  for (Block &block : body)
    collect(block);
  if (loads.empty())
    return;
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : body)
      if (!stops.contains(&block))
        changed |= update(block);
  }
}

std::optional<PendingLoads::Load> PendingLoads::of(Operation &op) const {
  const ArrayRef<Access> all = accesses.of(op);
  if (all.empty() || all.front().isStore ||
      !(all.front().isVolatile || all.front().isUniform))
    return std::nullopt;
  auto lane = loneBlocks.laneOf(op.getBlock());
  if (lane && lane->constant == 0)
    return std::nullopt;
  return Load{&all.front(), op.getBlock()};
}

void PendingLoads::collect(Block &block) {
  Effect &effect = effects[&block];
  for (Operation &op : block) {
    if (ir::isSyncPoint(&op)) {
      effect.isSync = true;
      effect.loads.reset();
    }
    if (auto load = of(op)) {
      effect.loads.resize(loads.size() + 1);
      effect.loads.set(loads.size());
      loads.push_back(*load);
    }
  }
}

bool PendingLoads::update(Block &block) {
  llvm::BitVector entry = entries.lookup(&block);
  const unsigned before = entry.count();
  for (Block *from : block.getPredecessors()) {
    const Effect &effect = effects.find(from)->second;
    entry |= effect.loads;
    if (auto it = entries.find(from); it != entries.end() && !effect.isSync)
      entry |= it->second;
  }
  if (entry.count() == before)
    return false;
  entries[&block] = std::move(entry);
  return true;
}

SmallVector<PendingLoads::Load> PendingLoads::at(Block *block) const {
  SmallVector<Load> result;
  if (auto it = entries.find(block); it != entries.end())
    for (unsigned number : it->second.set_bits())
      result.push_back(loads[number]);
  return result;
}
