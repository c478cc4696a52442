// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pushes what differs between threads to the vector unit, in pieces that end where memory
// is written and where control goes on; values that live longer have slots of Dst.
// Addresses are the core's: those that grow by 4 bytes from thread to thread are one
// transfer, others one word after the other.

#include "VectorEmit.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace het::tensix {

VectorEmission::VectorEmission(Function &function, const RowBounds &bounds, Floats floats)
    : function(function), bounds(bounds), divergence(function),
      threads(divergence, bounds), floats(floats) {
  for (unsigned slot = valueSlots; slot-- > 0;)
    freeSlots.push_back(slot);
}

/// Values that are stored, and what these are made of; addresses are not.
void VectorEmission::findNeeded() {
  SmallVector<Value *> work;
  for (Instruction &inst : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&inst); store && divergence(store))
      work.push_back(store->getValueOperand());
  while (!work.empty()) {
    auto *inst = dyn_cast<Instruction>(work.pop_back_val());
    if (!inst || !divergence(inst) || !needed.insert(inst).second ||
        isa<LoadInst>(inst) || isThreadMarker(inst))
      continue;
    for (Use &operand : inst->operands())
      work.push_back(operand.get());
  }
}

Reason VectorEmission::check() const {
  for (Instruction &inst : instructions(function)) {
    if (isa<AllocaInst>(inst) && &inst != bounds.count)
      return std::string("threads have memory of their own");
    auto *call = dyn_cast<CallInst>(&inst);
    if (call && (inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects()))
      return "it has " + describe(inst);
    if (inst.mayWriteToMemory() && !isa<StoreInst>(inst))
      return "it has " + describe(inst);
    if (auto *store = dyn_cast<StoreInst>(&inst)) {
      if (store->getPointerOperand() == bounds.count)
        continue;
      if (!divergence(store->getPointerOperand()))
        return std::string("all threads of a row write to one place");
      if (!threads.isComputable(store->getPointerOperand()))
        return std::string("an address depends on data");
      if (!isLaneType(store->getValueOperand()->getType()) ||
          store->getValueOperand()->getType()->isIntegerTy(1))
        return std::string("it writes values that are not of 32 bits");
    }
    if (!needed.contains(&inst))
      continue;
    if (!isLaneType(inst.getType()))
      return "values that differ between threads are not of 32 bits: " + describe(inst);
    auto *load = dyn_cast<LoadInst>(&inst);
    if (load && !threads.isComputable(load->getPointerOperand()))
      return std::string("an address depends on data");
    if (load && load->getType()->isIntegerTy(1))
      return std::string("it reads values that are not of 32 bits");
  }
  return std::nullopt;
}

std::optional<unsigned> VectorEmission::giveSlot(Value *value) {
  if (auto it = slots.find(value); it != slots.end())
    return it->second;
  if (freeSlots.empty()) {
    reason = "more values at once than Dst has room for";
    return std::nullopt;
  }
  return slots[value] = freeSlots.pop_back_val();
}

Lanes VectorEmission::lanesOf(Value *value) {
  if (auto it = lanes.find(value); it != lanes.end())
    return it->second;
  Lanes result;
  if (auto *constant = dyn_cast<ConstantInt>(value))
    result = piece.code.constant(constant->getZExtValue());
  else if (auto *constant = dyn_cast<ConstantFP>(value))
    result = piece.code.constant(constant->getValueAPF().bitcastToAPInt().getZExtValue());
  else if (isa<UndefValue>(value))
    result = piece.code.constant(0);
  else if (isThreadMarker(value))
    result = piece.threads();
  else if (!divergence(value))
    result = piece.broadcast(value);
  else
    result = piece.code.load(slots.lookup(value));
  lanes[value] = result;
  return result;
}

/// Whether it is needed after the piece that is pushed now.
bool VectorEmission::livesOn(Instruction *inst) const {
  return any_of(inst->users(), [&](User *user) {
    auto *use = cast<Instruction>(user);
    if (auto *phi = dyn_cast<PHINode>(use))
      return needed.contains(phi) && !edgesDone.contains({phi, inst});
    if (auto *store = dyn_cast<StoreInst>(use))
      return store->getValueOperand() == inst && !done.contains(store);
    return needed.contains(use) && !done.contains(use);
  });
}

void VectorEmission::push(Instruction *at) {
  for (Instruction *inst : defined) {
    if (slots.contains(inst) || !livesOn(inst))
      continue;
    if (std::optional<unsigned> slot = giveSlot(inst))
      piece.code.store(*slot, lanes[inst]);
  }
  if (!reason && !pushPiece(piece, freeSlots, at, bounds, floats == Floats::Native))
    reason = "more values at once than Dst has room for";
  piece = VectorPiece();
  lanes.clear();
  defined.clear();
  release();
}

/// Slots of values of this block that nobody asks for any more.
void VectorEmission::release() {
  SmallVector<Value *> ended;
  for (auto [value, slot] : slots) {
    auto *inst = dyn_cast<Instruction>(value);
    bool isLocal =
        inst && !isa<PHINode>(inst) && all_of(inst->users(), [&](User *user) {
          auto *use = cast<Instruction>(user);
          return !(needed.contains(use) || isa<StoreInst>(use)) ||
                 (homes.lookup(use) == homes.lookup(inst) && !isa<PHINode>(use));
        });
    if (isLocal && value != kept && !livesOn(inst))
      ended.push_back(value);
  }
  for (Value *value : ended) {
    freeSlots.push_back(slots.lookup(value));
    slots.erase(value);
  }
}

/// Values for the phis of the next block, all read before one is written.
void VectorEmission::leave(BasicBlock *original, Instruction *terminator) {
  SmallVector<std::pair<unsigned, Lanes>> copies;
  for (BasicBlock *successor : successors(terminator))
    for (PHINode &phi : successor->phis()) {
      if (!needed.contains(&phi))
        continue;
      int index = phi.getBasicBlockIndex(terminator->getParent());
      if (index < 0)
        index = phi.getBasicBlockIndex(original);
      Value *value = phi.getIncomingValue(index);
      edgesDone.insert({&phi, value});
      std::optional<unsigned> slot = giveSlot(&phi);
      if (slot && !isa<UndefValue>(value))
        copies.push_back({*slot, lanesOf(value)});
    }
  for (auto [slot, value] : copies)
    piece.code.store(slot, value);
  push(terminator);
}

void VectorEmission::emit(Instruction *inst) {
  if (auto *store = dyn_cast<StoreInst>(inst)) {
    if (divergence(store))
      emitStore(store);
    return;
  }
  if (!needed.contains(inst) || isa<PHINode>(inst) || isThreadMarker(inst))
    return;
  if (auto *load = dyn_cast<LoadInst>(inst))
    return emitLoad(load);
  std::optional<Lanes> result = selectLanes(
      piece.code, *inst, [&](Value *value) { return lanesOf(value); }, floats);
  done.insert(inst);
  if (!result) {
    reason = "the vector unit has nothing for " + describe(*inst);
    return;
  }
  lanes[inst] = *result;
  defined.push_back(inst);
}

static bool addsOrMultiplies(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return (call && call->getIntrinsicID() == Intrinsic::fma) ||
         inst.getOpcode() == Instruction::FAdd || inst.getOpcode() == Instruction::FSub ||
         inst.getOpcode() == Instruction::FMul;
}

bool canDoubt(Function &function, const RowBounds &bounds) {
  Divergence divergence(function);
  SmallVector<Instruction *> floats, stores;
  for (Instruction &inst : instructions(function)) {
    if (divergence(&inst) && addsOrMultiplies(inst))
      floats.push_back(&inst);
    auto *store = dyn_cast<StoreInst>(&inst);
    if (store && store->getPointerOperand() != bounds.count)
      stores.push_back(store);
  }
  for (Instruction *store : stores)
    for (Instruction *inst : floats)
      if (isPotentiallyReachable(store, inst))
        return false;
  return !floats.empty();
}

void VectorEmission::erase() {
  SmallVector<Instruction *> old;
  for (Instruction &inst : instructions(function))
    if (divergence(&inst))
      old.push_back(&inst);
  for (Instruction *inst : old)
    inst->dropAllReferences();
  for (Instruction *inst : old) {
    if (!inst->use_empty())
      inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
    inst->eraseFromParent();
  }
}

Reason VectorEmission::run() {
  findNeeded();
  if (Reason refused = check())
    return refused;
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    blocks.push_back(block);
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block)
      homes[&inst] = block;
  for (BasicBlock *block : blocks) {
    SmallVector<Instruction *> insts;
    for (Instruction &inst : *block)
      insts.push_back(&inst);
    for (Instruction *inst : insts) {
      if (inst->isTerminator())
        leave(block, inst);
      else
        emit(inst);
      if (reason)
        return reason;
    }
  }
  erase();
  return std::nullopt;
}

Reason emitVectors(Function &function, const RowBounds &bounds, Floats floats) {
  if (Reason reason = VectorEmission(function, bounds, floats).run())
    return reason;
  if (floats == Floats::Native)
    clearDoubts(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return std::nullopt;
}

} // namespace het::tensix
