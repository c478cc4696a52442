// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stores of lanes that have met again: a fixed point over the graph. Ways back to a
// loop's head do not count: what a lane stored in an earlier round is met behind the
// loop.

#include "MetStores.h"
#include "het/IR/Module.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace het;
using namespace het::transforms;

//===----------------------------------------------------------------------===//
// MetStores
//===----------------------------------------------------------------------===//

MetStores::MetStores(LLVM::LLVMFuncOp kernel, DominanceInfo &dominance,
                     const DataLayout &layout)
    : dominance(dominance), loneBlocks(kernel, dominance) {
  Region &body = kernel.getBody();
  if (body.hasOneBlock())
    return;
  for (Block &block : body)
    collect(block, layout);
  if (stores.empty())
    return;
  loops.emplace(dominance.getDomTree(&body));
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : body)
      changed |= update(block);
  }
}

static bool mayBeOneObject(const Place &store, const Place &load) {
  auto ofStore = dyn_cast_or_null<LLVM::AddressOfOp>(store.variable);
  auto ofLoad = dyn_cast_or_null<LLVM::AddressOfOp>(load.variable);
  return !ofStore || !ofLoad || ofStore.getGlobalName() == ofLoad.getGlobalName();
}

bool MetStores::mayReach(const Store &store, const Entry &entry, unsigned number,
                         Block *block, const Place &load) const {
  if (!mayBeOneObject(store.place, load) || loneBlocks.haveBoth(store.block, block))
    return false;
  const bool isMet = entry.met.test(number);
  const bool isForward = isMet || entry.direct.test(number);
  if (store.place.origin() != load.origin())
    return isMet || isBehindLoop(store.block, block) || (load.isUniform && isForward);
  const int64_t distance = std::abs(store.place.offset - load.offset);
  return load.isUniform ? isMet && distance == 0
                        : isForward && distance >= load.stride && distance < load.reach();
}

bool MetStores::mayReach(Block *block, const Place &load) const {
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

void MetStores::collect(Block &block, const DataLayout &layout) {
  Effect &effect = effects[&block];
  llvm::SmallDenseSet<std::tuple<Value, Value, int64_t>> places;
  for (Operation &op : block) {
    if (ir::isSyncPoint(&op)) {
      effect.isSync = true;
      effect.stores.clear();
      places.clear();
      continue;
    }
    for (const Access &access : accessesOf(op)) {
      const Place place = placeOf(access, layout);
      if (!access.isStore || (place.isOwn && !place.isUniform) ||
          !places.insert({place.base, place.index, place.offset}).second)
        continue;
      effect.stores.push_back(stores.size());
      stores.push_back({place, &block});
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
  Entry entry = entries.lookup(&block);
  const unsigned before = entry.all.count() + entry.direct.count() + entry.met.count();
  for (Block *from : block.getPredecessors()) {
    const Entry end = endOf(from);
    entry.all |= end.all;
    if (!isForward(from))
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

//===----------------------------------------------------------------------===//
// LoneBlocks
//===----------------------------------------------------------------------===//

static bool isLane(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto mask = dyn_cast_or_null<LLVM::AndOp>(op))
    op = mask.getLhs().getDefiningOp();
  return isa_and_nonnull<ir::ThreadIdOp, ir::LaneIdOp>(op);
}

/// Where the branch leads one lane alone, or null.
static Block *takenByOne(LLVM::CondBrOp branch) {
  auto compare = branch.getCondition().getDefiningOp<LLVM::ICmpOp>();
  if (!compare || !isLane(compare.getLhs()))
    return nullptr;
  if (compare.getPredicate() == LLVM::ICmpPredicate::eq)
    return branch.getTrueDest();
  return compare.getPredicate() == LLVM::ICmpPredicate::ne ? branch.getFalseDest()
                                                           : nullptr;
}

LoneBlocks::LoneBlocks(LLVM::LLVMFuncOp kernel, DominanceInfo &dominance)
    : dominance(dominance) {
  for (Block &block : kernel.getBody())
    if (auto branch = dyn_cast<LLVM::CondBrOp>(block.getTerminator()))
      if (Block *taken = takenByOne(branch); taken && taken->getSinglePredecessor())
        heads.push_back(taken);
}

bool LoneBlocks::haveBoth(Block *first, Block *second) const {
  return llvm::any_of(heads, [&](Block *head) {
    return dominance.dominates(head, first) && dominance.dominates(head, second);
  });
}
