// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a loop over lanes as masks. What is costly and has no lane is passed over.

#include "LaneVectorizer.h"

using namespace llvm;

namespace het::host {

Value *LaneVectorizer::incomingOf(PHINode &phi, const BasicBlock *from) {
  if (Value *value = brought.lookup({&phi, from}))
    return value;
  return valueOf(phi.getIncomingValueForBlock(from), isVarying(&phi));
}

/// Where all lanes of a block come to another one in the same round, that one has its
/// mask.
Value *LaneVectorizer::maskOf(BasicBlock *block) {
  const DominatorTree &dominators = plan.analyses.dominators;
  for (auto *node = dominators.getNode(block)->getIDom();
       node && lanes.contains(node->getBlock()); node = node->getIDom()) {
    BasicBlock *above = node->getBlock();
    if (loops.getLoopFor(above) == loops.getLoopFor(block) &&
        isAlwaysBefore(above, block, *loops.getLoopFor(block)))
      return masks.lookup(above);
  }
  Value *result = nullptr;
  SmallPtrSet<BasicBlock *, 4> seen;
  for (BasicBlock *from : predecessors(block))
    if (seen.insert(from).second)
      result = either(result, edges.lookup({from, block}));
  return result;
}

/// Blocks that are reached through `block` alone, in `loop`.
LaneVectorizer::Blocks LaneVectorizer::regionOf(BasicBlock *block, Loop *loop) {
  Blocks region;
  for (BasicBlock *other : order)
    if (loop->contains(other) && plan.analyses.dominators.dominates(block, other))
      region.insert(other);
  return region;
}

/// Whether it is worth asking if any lane comes to a region.
bool LaneVectorizer::isGuarded(BasicBlock *block, const Blocks &region) {
  constexpr unsigned cheap = 12; // instructions
  BasicBlock *from = block->getUniquePredecessor();
  if (!from || !conditionOf(*from) || isSomeLane(edges.lookup({from, block})))
    return false;
  unsigned size = 0;
  for (BasicBlock *inside : region) {
    if (loops.getLoopFor(inside) != loops.getLoopFor(block))
      return true;
    for (Instruction &instruction : *inside)
      size += isa<LoadInst, StoreInst>(instruction) ? 3 : 1;
  }
  return size > cheap;
}

/// Emits a region that is passed over where the mask has no lane: what leaves it has none
/// then, and brings nothing.
void LaneVectorizer::emitGuarded(Value *entering, const Blocks &region,
                                 function_ref<void()> body) {
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *inside = newBlock("some"), *behind = newBlock("behind");
  builder.CreateCondBr(any(entering), inside, behind);
  builder.SetInsertPoint(inside);
  const bool isNew = known.insert(entering).second;
  body();
  if (isNew)
    known.erase(entering);
  SmallVector<std::pair<Edge, Value *>> leaving;
  SmallVector<std::tuple<PHINode *, BasicBlock *, Value *>> values;
  for (BasicBlock *block : order) {
    if (!region.contains(block))
      continue;
    for (BasicBlock *next : successors(block)) {
      if (region.contains(next) || next == lanes.getHeader() || !lanes.contains(next))
        continue;
      leaving.push_back({{block, next}, edges.lookup({block, next})});
      for (PHINode &phi : next->phis()) {
        auto *value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(block));
        if (brought.contains({&phi, block}) ||
            (value && region.contains(value->getParent())))
          values.push_back({&phi, block, incomingOf(phi, block)});
      }
    }
  }
  BasicBlock *end = builder.GetInsertBlock();
  builder.CreateBr(behind);
  builder.SetInsertPoint(behind);
  auto orNothing = [&](Value *value) {
    PHINode *phi = builder.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, end);
    phi->addIncoming(zero(value->getType()), before);
    return phi;
  };
  for (auto &[edge, value] : leaving)
    edges[edge] = orNothing(value);
  for (auto &[phi, block, value] : values)
    brought[{phi, block}] = orNothing(value);
}

void LaneVectorizer::emitPhis(BasicBlock *block) {
  for (PHINode &phi : block->phis()) {
    const bool isVector = isVarying(&phi);
    Value *result = nullptr;
    SmallPtrSet<BasicBlock *, 4> seen;
    for (BasicBlock *from : phi.blocks()) {
      if (!seen.insert(from).second)
        continue;
      Value *value = incomingOf(phi, from);
      if (!result || result == value) {
        result = value;
        continue;
      }
      Value *came = edges.lookup({from, block});
      result = builder.CreateSelect(isVector ? came : any(came), value, result);
    }
    (isVector ? vectors : scalars)[&phi] = result;
  }
}

void LaneVectorizer::emitEdges(BasicBlock *block) {
  Instruction *terminator = block->getTerminator();
  Value *original = conditionOf(*block);
  if (!original) {
    edges[{block, terminator->getSuccessor(0)}] = mask;
    return;
  }
  for (BasicBlock *next : successors(block))
    edges[{block, next}] = nullptr;
  auto add = [&](BasicBlock *next, Value *lanesThere) {
    Value *&edge = edges[{block, next}];
    edge = either(edge, lanesThere);
  };
  Value *condition = valueOf(original, isVarying(original));
  if (isa<BranchInst>(terminator)) {
    add(terminator->getSuccessor(0), both(mask, condition));
    add(terminator->getSuccessor(1), both(mask, negate(condition)));
    return;
  }
  auto *choice = cast<SwitchInst>(terminator);
  Value *rest = mask;
  for (auto &option : choice->cases()) {
    Value *value = option.getCaseValue();
    if (condition->getType()->isVectorTy())
      value = builder.CreateVectorSplat(width, value);
    Value *isThis = builder.CreateICmpEQ(condition, value);
    add(option.getCaseSuccessor(), both(mask, isThis));
    rest = both(rest, negate(isThis));
  }
  add(choice->getDefaultDest(), rest);
}

void LaneVectorizer::emitBlock(BasicBlock *block) {
  Loop *loop = loops.getLoopFor(block);
  if (block != loop->getHeader()) {
    Value *own = maskOf(block);
    masks[block] = own;
    emitPhis(block);
  }
  mask = masks.lookup(block);
  for (Instruction &instruction : *block)
    emit(instruction);
  emitEdges(block);
}

/// A block of `loop`, or the loop inside of it that begins there.
void LaneVectorizer::emitNode(BasicBlock *block, Loop *loop) {
  if (loops.getLoopFor(block) != loop)
    return emitLoop(*loops.getLoopFor(block));
  done.insert(block);
  emitBlock(block);
}

/// Emits the nodes of `loop` among `blocks`, which are in an order in which definitions
/// come before uses.
void LaneVectorizer::emitNodes(ArrayRef<BasicBlock *> blocks, Loop *loop) {
  for (BasicBlock *block : blocks) {
    if (done.contains(block))
      continue;
    Loop *own = loops.getLoopFor(block);
    const bool isNode =
        own == loop || (own->getHeader() == block && own->getParentLoop() == loop);
    if (!isNode)
      continue;
    Blocks region = regionOf(block, loop);
    if (own != loop || block == loop->getHeader() || !isGuarded(block, region)) {
      emitNode(block, loop);
      continue;
    }
    emitGuarded(edges.lookup({block->getUniquePredecessor(), block}), region, [&] {
      SmallVector<BasicBlock *> inside;
      for (BasicBlock *other : blocks)
        if (region.contains(other))
          inside.push_back(other);
      emitNode(block, loop);
      emitNodes(inside, loop);
    });
  }
}

} // namespace het::host
