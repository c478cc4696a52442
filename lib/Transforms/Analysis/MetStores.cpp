// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stores of lanes that have met again: a fixed point over the graph. Ways back to a
// loop's head count where lanes go round together. Elsewhere what a lane stored in an
// earlier round is met behind the loop.

#include "MetStores.h"
#include "het/IR/Module.h"

using namespace mlir;
using namespace het;
using namespace het::transforms;

MetStores::MetStores(LLVM::LLVMFuncOp kernel, const SharedAccesses &accesses,
                     const LoneBlocks &loneBlocks, const UniformityAnalysis &uniformity,
                     DominanceInfo &dominance,
                     const llvm::SmallPtrSetImpl<Block *> &stops)
    : dominance(dominance), loneBlocks(loneBlocks) {
  Region &body = kernel.getBody();
  if (body.hasOneBlock())
    return;
  for (Block &block : body)
    collect(block, accesses);
  if (stores.empty())
    return;
  loops.emplace(dominance.getDomTree(&body));
  findCommonRounds(uniformity);
  updateAll(body, stops);
}

void MetStores::updateAll(Region &body, const llvm::SmallPtrSetImpl<Block *> &stops) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : body)
      if (!stops.contains(&block))
        changed |= update(block);
  }
}

bool MetStores::mayReach(const Store &store, const Entry &entry, unsigned number,
                         Block *block, const Access &load) const {
  if (!store.access.mayBeInObjectOf(load) || loneBlocks.haveBoth(store.block, block))
    return false;
  const bool isMet = entry.met.test(number);
  const bool isForward = isMet || entry.direct.test(number);
  if (store.access.origin != load.origin)
    return isMet || isBehindLoop(store.block, block) || (load.isUniform && isForward);
  const int64_t distance = std::abs(store.access.offset() - load.offset());
  return load.isUniform ? isMet && distance == 0
                        : isForward && distance >= load.stride && distance < load.reach();
}

bool MetStores::mayReach(Block *block, const Access &load) const {
  auto it = entries.find(block);
  if (it == entries.end())
    return false;
  return llvm::any_of(it->second.all.set_bits(), [&](unsigned number) {
    return mayReach(stores[number], it->second, number, block, load);
  });
}

bool MetStores::isBehindLoop(Block *store, Block *load) const {
  const CFGLoop *loop = loops->getLoopFor(store);
  return loop && !loop->contains(load);
}

void MetStores::findCommonRounds(const UniformityAnalysis &uniformity) {
  for (CFGLoop *loop : loops->getLoopsInPreorder()) {
    SmallVector<Block *> exiting;
    loop->getExitingBlocks(exiting);
    if (llvm::all_of(exiting, [&](Block *block) {
          return uniformity.branchLevel(block) <= ir::Level::Team;
        }))
      commonRounds.insert(loop->getHeader());
  }
}

void MetStores::collect(Block &block, const SharedAccesses &accesses) {
  Effect &effect = effects[&block];
  llvm::SmallDenseSet<std::pair<unsigned, int64_t>> places;
  for (Operation &op : block) {
    if (ir::isSyncPoint(&op)) {
      effect.isSync = true;
      effect.stores.clear();
      places.clear();
      continue;
    }
    for (const Access &access : accesses.of(op)) {
      if (!access.isStore || (access.isOwn && !access.isUniform) ||
          !places.insert({access.origin, access.offset()}).second)
        continue;
      effect.stores.push_back(stores.size());
      stores.push_back({access, &block});
    }
  }
}

/// What is pending at the end of a block.
MetStores::Entry MetStores::endOf(Block *block) const {
  const Effect &effect = effects.find(block)->second;
  Entry result;
  if (auto it = entries.find(block); it != entries.end() && !effect.isSync)
    result = it->second;
  for (llvm::BitVector *bits : {&result.all, &result.direct, &result.met})
    bits->resize(stores.size());
  for (unsigned number : effect.stores) {
    result.all.set(number);
    result.direct.set(number);
  }
  return result;
}

/// Adds what is pending at the ends of a block's predecessors. Returns whether that was
/// news.
bool MetStores::update(Block &block) {
  auto isForward = [&](Block *from) { return !dominance.dominates(&block, from); };
  const bool isJoin = llvm::count_if(block.getPredecessors(), isForward) > 1;
  const bool isCommon = commonRounds.contains(&block);
  Entry entry = entries.lookup(&block);
  const unsigned before = entry.all.count() + entry.direct.count() + entry.met.count();
  for (Block *from : block.getPredecessors()) {
    const Entry end = endOf(from);
    entry.all |= end.all;
    if (!isForward(from) && !isCommon)
      continue;
    entry.met |= end.met;
    (isJoin ? entry.met : entry.direct) |= end.direct;
  }
  for (llvm::BitVector *bits : {&entry.all, &entry.direct, &entry.met})
    bits->resize(stores.size());
  if (entry.all.count() + entry.direct.count() + entry.met.count() == before)
    return false;
  entries[&block] = std::move(entry);
  return true;
}
