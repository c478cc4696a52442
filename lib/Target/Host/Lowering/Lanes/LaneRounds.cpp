// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that lanes go round together until none is left in it. Values that a lane brings
// along when it leaves are kept from then on.

#include "LaneVectorizer.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace het::host {

/// Whether all lanes that enter stay until the last round's end.
bool LaneVectorizer::staysTogether(Loop &loop) const {
  return loop.getExitingBlock() == loop.getLoopLatch() &&
         isa<BranchInst>(loop.getLoopLatch()->getTerminator()) &&
         !plan.divergence->isDivergent(loop);
}

void LaneVectorizer::emitLoop(Loop &loop) {
  OpenLoop open;
  open.loop = &loop;
  open.entering = edges.lookup({loop.getLoopPreheader(), loop.getHeader()});
  if (isSomeLane(open.entering))
    return emitRounds(open);
  Blocks region(loop.block_begin(), loop.block_end());
  emitGuarded(open.entering, region, [&] { emitRounds(open); });
}

/// The head of a round: its mask, what those that have left have brought along, and the
/// loop's own phis.
void LaneVectorizer::openRound(OpenLoop &open) {
  Loop &loop = *open.loop;
  BasicBlock *before = builder.GetInsertBlock(), *start = loop.getLoopPreheader();
  SmallVector<Value *> first;
  for (PHINode &phi : loop.getHeader()->phis())
    first.push_back(incomingOf(phi, start));
  open.header = newBlock("round");
  builder.CreateBr(open.header);
  builder.SetInsertPoint(open.header);
  auto addPhi = [&](Value *initial) {
    PHINode *phi = builder.CreatePHI(initial->getType(), 2);
    phi->addIncoming(initial, before);
    return phi;
  };
  rounds[&loop] = addPhi(builder.getInt64(0));
  for (auto [phi, initial] : zip(loop.getHeader()->phis(), first))
    (isVarying(&phi) ? vectors : scalars)[&phi] = addPhi(initial);
  masks[loop.getHeader()] = open.entering;
  SmallVector<std::pair<BasicBlock *, BasicBlock *>> exits;
  loop.getExitEdges(exits);
  SetVector<Edge> distinct;
  for (auto [from, to] : exits)
    distinct.insert({from, to});
  open.exits.assign(distinct.begin(), distinct.end());
  if (staysTogether(loop))
    return;
  masks[loop.getHeader()] = open.mask = addPhi(open.entering);
  known.insert(open.mask);
  Value *none = zero(open.mask->getType());
  for (const Edge &edge : open.exits) {
    if (open.exits.size() > 1)
      open.left[edge] = addPhi(none);
    for (PHINode &phi : const_cast<BasicBlock *>(edge.second)->phis()) {
      auto *value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(edge.first));
      if (!value || !loop.contains(value))
        continue;
      Type *type = isVarying(&phi) ? vectorType(phi.getType()) : phi.getType();
      open.leaving.push_back(
          {&phi, const_cast<BasicBlock *>(edge.first), addPhi(zero(type))});
    }
  }
}

/// What the lanes bring along that leave in this round.
void LaneVectorizer::updateLeaving(OpenLoop &open) {
  for (Leaving &leaving : open.leaving) {
    Value *now = edges.lookup({leaving.exiting, leaving.phi->getParent()});
    Value *leaves = isVarying(leaving.phi) ? now : any(now);
    leaving.next = builder.CreateSelect(leaves, incomingOf(*leaving.phi, leaving.exiting),
                                        leaving.kept);
  }
}

void LaneVectorizer::closeRound(OpenLoop &open) {
  Loop &loop = *open.loop;
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  Value *again = nullptr, *staying = edges.lookup({latch, header});
  SmallVector<std::pair<PHINode *, Value *>> next;
  auto *counter = cast<PHINode>(rounds.lookup(&loop));
  next.push_back({counter, builder.CreateAdd(counter, builder.getInt64(1))});
  for (PHINode &phi : header->phis())
    next.push_back({cast<PHINode>((isVarying(&phi) ? vectors : scalars).lookup(&phi)),
                    incomingOf(phi, latch)});
  SmallVector<std::pair<Edge, Value *>> left;
  updateLeaving(open);
  for (Leaving &leaving : open.leaving)
    next.push_back({leaving.kept, leaving.next});
  for (const Edge &edge : open.exits) {
    Value *all = open.entering;
    if (PHINode *soFar = open.left.lookup(edge)) {
      all = builder.CreateOr(soFar, edges.lookup(edge));
      next.push_back({soFar, all});
    }
    left.push_back({edge, all});
  }
  if (open.mask) {
    next.push_back({open.mask, staying});
    again = any(staying);
  } else {
    again = scalarOf(conditionOf(*latch));
    if (latch->getTerminator()->getSuccessor(0) != header)
      again = negate(again);
  }
  BasicBlock *end = builder.GetInsertBlock(), *behind = newBlock("left");
  builder.CreateCondBr(again, open.header, behind);
  builder.SetInsertPoint(behind);
  for (auto [phi, value] : next)
    phi->addIncoming(value, end);
  for (auto [edge, value] : left)
    edges[edge] = value;
  for (Leaving &leaving : open.leaving)
    brought[{leaving.phi, leaving.exiting}] = leaving.next;
}

void LaneVectorizer::emitRounds(OpenLoop &open) {
  openRound(open);
  emitNodes(order, open.loop);
  closeRound(open);
  if (open.mask)
    known.erase(open.mask);
  rounds.erase(open.loop);
}

} // namespace het::host
