// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops wait: a backward slice of each exit's condition, inside of the loop,
// over data and over the branches that choose between a block argument's values.

#include "het/Transforms/WaitingLoops.h"
#include "IncomingValue.h"
#include "SharedPlaces.h"
#include "SwapRetries.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// Whether all threads of a grid have one value.
bool isOfGrid(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Value next = needed[i];
    if (isa<BlockArgument>(next) && next.getParentBlock()->isEntryBlock())
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || !isPure(op) ||
        isa<ir::ThreadIdOp, ir::LaneIdOp, ir::TeamIdOp, ir::BlockIdOp>(op))
      return false;
    needed.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether an operation looks like the end of what another thread waits for, also where
/// it reaches that through another pointer: it is seen by all, and does not count up, as
/// what is counted or summed up beside a search is.
bool looksLikeRelease(Operation *op, bool hasFences) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return hasFences || store.getVolatile_() ||
           store.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op);
  if (!rmw)
    return isa<LLVM::AtomicCmpXchgOp>(op);
  switch (rmw.getBinOp()) {
  case LLVM::AtomicBinOp::add: {
    APInt added;
    return matchPattern(rmw.getVal(), m_ConstantInt(&added)) && added.isNegative();
  }
  case LLVM::AtomicBinOp::fadd:
  case LLVM::AtomicBinOp::min:
  case LLVM::AtomicBinOp::max:
  case LLVM::AtomicBinOp::umin:
  case LLVM::AtomicBinOp::umax:
  case LLVM::AtomicBinOp::fmin:
  case LLVM::AtomicBinOp::fmax:
    return false;
  default:
    return true;
  }
}

/// Whether both draw from a place in opposite directions.
bool givesBack(Operation *op, LLVM::AtomicRMWOp ticket) {
  if (ticket.getBinOp() == LLVM::AtomicBinOp::sub ||
      ticket.getBinOp() == LLVM::AtomicBinOp::fsub) {
    auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op);
    return rmw && (rmw.getBinOp() == LLVM::AtomicBinOp::add ||
                   rmw.getBinOp() == LLVM::AtomicBinOp::fadd);
  }
  return !isa<LLVM::StoreOp>(op) && looksLikeRelease(op, /*hasFences=*/false);
}

/// Whether each execution changes what it looks at (a ticket, a work queue). A lane that
/// adds zero, where others do not, only looks.
bool isTicket(LLVM::AtomicRMWOp op) {
  switch (op.getBinOp()) {
  case LLVM::AtomicBinOp::add:
  case LLVM::AtomicBinOp::sub:
  case LLVM::AtomicBinOp::fadd:
  case LLVM::AtomicBinOp::fsub:
    return isOfGrid(op.getVal()) && !matchPattern(op.getVal(), m_Zero()) &&
           !matchPattern(op.getVal(), m_AnyZeroFloat());
  case LLVM::AtomicBinOp::uinc_wrap:
  case LLVM::AtomicBinOp::udec_wrap:
  case LLVM::AtomicBinOp::usub_cond:
  case LLVM::AtomicBinOp::usub_sat:
    return true;
  default:
    return false;
  }
}

/// Whether a call looks at memory that others write.
bool looksInside(LLVM::CallOp call) {
  llvm::SetVector<Operation *> called;
  auto add = [&](LLVM::CallOp op) {
    if (Operation *callee = SymbolTable::lookupNearestSymbolFrom(op, op.getCalleeAttr()))
      called.insert(callee);
  };
  if (!call.getCallee())
    return false;
  add(call);
  bool looks = false;
  for (size_t i = 0; i < called.size() && !looks; ++i)
    called[i]->walk([&](Operation *op) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        looks |=
            load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
      else if (auto next = dyn_cast<LLVM::CallOp>(op); next && next.getCallee())
        add(next);
      else
        looks |= isa<LLVM::AtomicCmpXchgOp>(op) ||
                 (isa<LLVM::AtomicRMWOp>(op) && !isTicket(cast<LLVM::AtomicRMWOp>(op)));
    });
  return looks;
}

class Slice {
public:
  Slice(CFGLoop *loop, DominanceInfo &dominance)
      : loop(loop), dominance(dominance),
        layout(DataLayout::closest(loop->getHeader()->getParentOp())) {
    for (Block *block : loop->getBlocks())
      for (Operation &op : *block)
        fenced |= isa<LLVM::FenceOp, ir::FenceOp, ir::SleepOp>(op);
  }

  LoopWait find() {
    if (endsBySwaps(loop))
      return LoopWait::Never;
    SmallVector<Block *> exiting;
    loop->getExitingBlocks(exiting);
    for (Block *block : exiting)
      addCondition(block);
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        visit(argument);
        continue;
      }
      Operation *op = value.getDefiningOp();
      const LoopWait wait = waitBy(op);
      if (wait == LoopWait::Always) {
        last = op;
        return wait;
      }
      if (wait == LoopWait::Sometimes)
        looks.insert(op);
      llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
      if (isa<LLVM::LoadOp>(op))
        addStored(op);
    }
    return looks.empty() ? LoopWait::Never : LoopWait::Sometimes;
  }

  /// The operations that make it LoopWait::Sometimes.
  ArrayRef<Operation *> findLooks() {
    (void)find();
    return looks.getArrayRef();
  }

  /// Whether what one thread looks by may be what another one waits for: a swap of what
  /// has been read, which may leave anything.
  bool mayRelease(Operation *look) const {
    auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(look);
    return swap && !isInvariant(swap.getCmp());
  }

  /// The ticket that makes it LoopWait::Always; null: something else does.
  Operation *findTicket() {
    (void)find();
    auto ticket = dyn_cast_or_null<LLVM::AtomicRMWOp>(last);
    return ticket && isTicket(ticket) ? last : nullptr;
  }

private:
  void add(Value value) {
    if (value && loop->contains(value.getParentBlock()) && seen.insert(value).second)
      work.push_back(value);
  }

  /// What the loop may have stored where it loads.
  void addStored(Operation *load) {
    const SharedPlace place(load, layout);
    for (const auto &[value, other] : storesInLoop())
      if (place.mayBe(other))
        add(value);
  }

  ArrayRef<std::pair<Value, SharedPlace>> storesInLoop() {
    if (!stores) {
      stores.emplace();
      for (Block *block : loop->getBlocks())
        for (auto store : block->getOps<LLVM::StoreOp>())
          stores->emplace_back(store.getValue(), SharedPlace(store, layout));
    }
    return *stores;
  }

  void addCondition(Block *block) {
    Operation *end = block->getTerminator();
    if (auto branch = dyn_cast<LLVM::CondBrOp>(end))
      add(branch.getCondition());
    else if (auto choice = dyn_cast<LLVM::SwitchOp>(end))
      add(choice.getValue());
  }

  /// Whether each round computes the same value.
  bool isInvariant(Value value) const {
    llvm::SetVector<Value> needed;
    needed.insert(value);
    for (size_t i = 0; i < needed.size(); ++i) {
      Value next = needed[i];
      if (!loop->contains(next.getParentBlock()))
        continue;
      Operation *op = next.getDefiningOp();
      if (!op || !isPure(op))
        return false;
      needed.insert(op->operand_begin(), op->operand_end());
    }
    return true;
  }

  /// Whether the loop may change what a ticket is drawn from in another way, as one that
  /// gives back what it has taken. Stores to its neighbours do not.
  bool isTakenBack(LLVM::AtomicRMWOp ticket) const {
    const SharedPlace place(ticket.getOperation(), layout);
    return llvm::any_of(loop->getBlocks(), [&](Block *block) {
      return llvm::any_of(*block, [&](Operation &op) {
        if (auto store = dyn_cast<LLVM::StoreOp>(op))
          return store.getAddr() == ticket.getPtr();
        if (&op == ticket || !writesMemory(op))
          return false;
        const SharedPlace other(&op, layout);
        return place.mayBe(other) ||
               (givesBack(&op, ticket) &&
                place.mayBe(other, SharedPlace::Arguments::MayMeet));
      });
    });
  }

  /// How an operation is a read that others' writes can change. Where a loop tries
  /// another place each time there may be one that is free; but places are finitely many.
  LoopWait waitBy(Operation *op) const {
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      const bool isNew = load.getVolatile_() || fenced ||
                         load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
      return isNew ? LoopWait::Always : LoopWait::Never;
    }
    if (auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op)) {
      if (isTicket(rmw))
        return isTakenBack(rmw) ? LoopWait::Always : LoopWait::Never;
      return isInvariant(rmw.getPtr()) ? LoopWait::Always : LoopWait::Sometimes;
    }
    if (auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      return isInvariant(swap.getCmp()) && isInvariant(swap.getPtr())
                 ? LoopWait::Always
                 : LoopWait::Sometimes;
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      return looksInside(call) ? LoopWait::Always : LoopWait::Never;
    return LoopWait::Never;
  }

  void visit(BlockArgument argument) {
    Block *block = argument.getOwner();
    llvm::SmallPtrSet<Value, 4> values;
    for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
      Value value = incomingValue(argument, it);
      if (!value || !loop->contains(*it))
        continue;
      add(value);
      values.insert(value);
    }
    if (values.size() > 1)
      addChoices(block);
  }

  /// The branches inside the loop that lead to one predecessor of `block` or another.
  void addChoices(Block *block) {
    Block *header = loop->getHeader();
    llvm::SetVector<Block *> blocks;
    auto addPredecessors = [&](Block *of) {
      for (Block *from : of->getPredecessors())
        if (loop->contains(from))
          blocks.insert(from);
    };
    addPredecessors(block);
    for (size_t i = 0; i < blocks.size(); ++i) {
      addCondition(blocks[i]);
      bool isTop = blocks[i] == header ||
                   (block != header && dominance.properlyDominates(blocks[i], block));
      if (!isTop)
        addPredecessors(blocks[i]);
    }
  }

  CFGLoop *loop;
  DominanceInfo &dominance;
  DataLayout layout;
  bool fenced = false; ///< plain loads are made anew in each round
  std::optional<SmallVector<std::pair<Value, SharedPlace>>> stores; ///< Values, places.
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work;
  llvm::SetVector<Operation *> looks; ///< Those of LoopWait::Sometimes.
  Operation *last = nullptr;          ///< What makes it LoopWait::Always.
};

} // namespace

LoopWait findWait(CFGLoop *loop, DominanceInfo &dominance) {
  return Slice(loop, dominance).find();
}

Operation *findWaitingLoop(LLVM::LLVMFuncOp function) {
  if (function.isExternal() || function.getBody().hasOneBlock())
    return nullptr;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  for (CFGLoop *loop : loops.getLoopsInPreorder())
    if (findWait(loop, dominance) == LoopWait::Always)
      return &loop->getHeader()->front();
  return nullptr;
}

Operation *placeOfWait(CFGLoop *loop, DominanceInfo &dominance) {
  Operation *ticket = Slice(loop, dominance).findTicket();
  return ticket ? ticket : &loop->getHeader()->front();
}

/// Whether an operation may write what a compare-and-swap with a fixed expectation waits
/// for. It does not where it writes another constant.
static bool mayWriteExpected(Operation *op, Operation *look) {
  auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(look);
  auto store = dyn_cast<LLVM::StoreOp>(op);
  APInt expected, written;
  return !swap || !store || !matchPattern(swap.getCmp(), m_ConstantInt(&expected)) ||
         !matchPattern(store.getValue(), m_ConstantInt(&written)) || expected == written;
}

bool mayBeReleased(CFGLoop *loop, DominanceInfo &dominance) {
  Slice slice(loop, dominance);
  ArrayRef<Operation *> looks = slice.findLooks();
  bool found =
      llvm::any_of(looks, [&](Operation *look) { return slice.mayRelease(look); });
  auto module = loop->getHeader()->getParentOp()->getParentOfType<ModuleOp>();
  const DataLayout layout = DataLayout::closest(loop->getHeader()->getParentOp());
  SmallVector<std::pair<Operation *, SharedPlace>> lookedAt;
  for (Operation *look : looks)
    lookedAt.emplace_back(look, SharedPlace(look, layout));
  bool hasFences = false;
  module.walk([&](Operation *op) { hasFences |= isa<LLVM::FenceOp, ir::FenceOp>(op); });
  module.walk([&](Operation *op) {
    if (lookedAt.empty() || !writesMemory(*op))
      return;
    const SharedPlace written(op, layout);
    const auto arguments = looksLikeRelease(op, hasFences)
                               ? SharedPlace::Arguments::MayMeet
                               : SharedPlace::Arguments::Apart;
    for (const auto &[look, place] : lookedAt)
      found |=
          op != look && mayWriteExpected(op, look) && place.mayBe(written, arguments);
  });
  return found;
}

} // namespace het::transforms
