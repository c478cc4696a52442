// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow. LLVM's passes make loops of one entry and one exit, and
// selections that meet behind each other; what SPIR-V asks for beside that is made here:
// every header has a merge block that is no other's, and every loop a block that only
// goes back.
//
// Source: SPIR-V specification, "Structured Control Flow".

#include "../../../Support/Lowering/TargetLowering.h"
#include "Vulkan.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

namespace het::spirv {
namespace {

using Block = llvm::BasicBlock;

/// The one block that returns; blocks that end nowhere go there, too.
Block *uniteReturns(llvm::Function &function) {
  llvm::SmallVector<Block *> ends;
  for (Block &block : function)
    if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(block.getTerminator()))
      ends.push_back(&block);
  auto *end = Block::Create(function.getContext(), "end", &function);
  llvm::IRBuilder<> builder(end);
  llvm::Type *type = function.getReturnType();
  llvm::PHINode *result =
      type->isVoidTy() ? nullptr : builder.CreatePHI(type, ends.size());
  for (Block *block : ends) {
    auto *back = llvm::dyn_cast<llvm::ReturnInst>(block->getTerminator());
    if (result)
      result->addIncoming(back ? back->getReturnValue() : llvm::PoisonValue::get(type),
                          block);
    llvm::Instruction *old = block->getTerminator();
    llvm::BranchInst::Create(end, old->getIterator());
    old->eraseFromParent();
  }
  result ? builder.CreateRet(result) : builder.CreateRetVoid();
  return end;
}

/// Adds an edge, never taken, from a block to the end.
void leaveFrom(Block &block, Block *end) {
  Block *rest = llvm::SplitBlock(&block, block.getTerminator());
  llvm::Instruction *branch = block.getTerminator();
  llvm::IRBuilder<> builder(branch);
  auto never = block.getModule()->getOrInsertFunction(neverName, builder.getInt1Ty());
  builder.CreateCondBr(builder.CreateCall(never), end, rest);
  branch->eraseFromParent();
  for (llvm::PHINode &phi : end->phis())
    phi.addIncoming(llvm::PoisonValue::get(phi.getType()), &block);
}

/// Gives loops that never end an exit that is never taken.
void giveExits(llvm::Function &function, Block *end) {
  while (true) {
    llvm::SmallPtrSet<Block *, 16> reaching;
    for (Block *block : llvm::inverse_depth_first(end))
      reaching.insert(block);
    // The last block of a loop comes first.
    auto blocks = llvm::post_order(&function);
    auto found =
        llvm::find_if(blocks, [&](Block *block) { return !reaching.contains(block); });
    if (found == blocks.end())
      return;
    leaveFrom(**found, end);
  }
}

void dropEqualBranches(llvm::Function &function) {
  for (Block &block : function) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        branch->getSuccessor(0) != branch->getSuccessor(1))
      continue;
    Block *next = branch->getSuccessor(0);
    next->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
    llvm::BranchInst::Create(next, branch->getIterator());
    branch->eraseFromParent();
  }
}

/// Splits blocks and notes the merges.
class StructureFinder {
public:
  StructureFinder(llvm::Function &function, bool isLlvmpipe)
      : function(function), isLlvmpipe(isLlvmpipe) {}

  llvm::Expected<Structure> run() {
    dropEqualBranches(function);
    if (llvm::Error error = splitLoops())
      return std::move(error);
    splitSelections();
    return std::move(structure);
  }

private:
  llvm::Error splitLoops();
  llvm::Error splitLoop(llvm::Loop &loop);
  void addExit(Block &header, Block &merge);
  void splitSelections();
  bool isExit(const llvm::BranchInst &branch) const {
    return llvm::any_of(branch.successors(),
                        [&](const Block *next) { return loopPoints.contains(next); });
  }

  llvm::Function &function;
  const bool isLlvmpipe;
  Structure structure;
  llvm::SmallPtrSet<const Block *, 16> loopPoints; ///< Merges and continue blocks.
};

/// Adds an exit that is never taken, behind the header. llvmpipe gives what comes out of
/// a loop by one way the value of the last round of all lanes, not of each lane's own; by
/// two it keeps what each lane had.
void StructureFinder::addExit(Block &header, Block &merge) {
  llvm::IRBuilder<> builder(header.getTerminator());
  Block *body = header.getSingleSuccessor();
  auto *exit = Block::Create(function.getContext(), ".never", &function, body);
  header.getTerminator()->setSuccessor(0, exit);
  body->replacePhiUsesWith(&header, exit);
  builder.SetInsertPoint(exit);
  auto never = function.getParent()->getOrInsertFunction(neverName, builder.getInt1Ty());
  builder.CreateCondBr(builder.CreateCall(never), &merge, body);
  for (llvm::PHINode &phi : merge.phis())
    phi.addIncoming(llvm::Constant::getNullValue(phi.getType()), exit);
  Block *behind = merge.getSingleSuccessor();
  Block *last = *llvm::predecessors(&merge).begin();
  if (last == exit)
    last = *std::next(llvm::predecessors(&merge).begin());
  for (llvm::PHINode &phi : behind->phis()) {
    llvm::Value *value = phi.getIncomingValueForBlock(&merge);
    auto *own = llvm::dyn_cast<llvm::PHINode>(value);
    if (own && own->getParent() == &merge)
      continue;
    builder.SetInsertPoint(&merge, merge.begin());
    llvm::PHINode *kept = builder.CreatePHI(phi.getType(), 2);
    kept->addIncoming(value, last);
    kept->addIncoming(llvm::Constant::getNullValue(phi.getType()), exit);
    phi.setIncomingValueForBlock(&merge, kept);
  }
}

llvm::Error StructureFinder::splitLoop(llvm::Loop &loop) {
  Block *header = loop.getHeader(), *exit = loop.getUniqueExitBlock(),
        *latch = loop.getLoopLatch();
  if (!exit || !latch)
    return llvm::createStringError("a loop without one exit and one way back");
  llvm::SmallVector<Block *> exiting;
  loop.getExitingBlocks(exiting);
  Block *merge = llvm::SplitBlockPredecessors(exit, exiting, ".merge");
  Block *body = llvm::SplitBlock(header, header->getFirstNonPHIIt());
  Block *next =
      llvm::SplitBlockPredecessors(header, latch == header ? body : latch, ".next");
  if (isLlvmpipe)
    addExit(*header, *merge);
  structure[header] = {merge, next};
  loopPoints.insert(merge);
  loopPoints.insert(next);
  return llvm::Error::success();
}

llvm::Error StructureFinder::splitLoops() {
  // Each has other blocks after the last one was split.
  while (true) {
    llvm::DominatorTree dominance(function);
    llvm::LoopInfo loops(dominance);
    llvm::Loop *next = nullptr;
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      if (!structure.contains(loop->getHeader()))
        next = loop;
    if (!next)
      return llvm::Error::success();
    if (llvm::Error error = splitLoop(*next))
      return error;
  }
}

/// Inner headers first. A new block stands, for the trees, where its header does.
void StructureFinder::splitSelections() {
  const llvm::DominatorTree dominance(function);
  const llvm::PostDominatorTree after(function);
  llvm::DenseMap<Block *, Block *> madeFor;
  for (auto *node : llvm::post_order(dominance.getRootNode())) {
    Block *header = node->getBlock();
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    if (!branch || !branch->isConditional() || isExit(*branch))
      continue;
    auto *postNode = after.getNode(header);
    auto *meeting = postNode ? postNode->getIDom() : nullptr;
    if (!meeting || !meeting->getBlock())
      continue; // the validator says so
    Block *end = meeting->getBlock();
    llvm::SmallVector<Block *> before;
    for (Block *block : llvm::predecessors(end)) {
      auto made = madeFor.find(block);
      if (dominance.dominates(header, made == madeFor.end() ? block : made->second))
        before.push_back(block);
    }
    if (before.empty())
      continue;
    Block *merge = llvm::SplitBlockPredecessors(end, before, ".merge");
    madeFor[merge] = header;
    structure[header] = {merge, nullptr};
  }
}

} // namespace

void structurize(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::removeUnreachableBlocks(function);
    giveExits(function, uniteReturns(function));
  }
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::FixIrreduciblePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::UnifyLoopExitsPass());
  passes.addPass(llvm::StructurizeCFGPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  target::runOnFunctions(module, machine, std::move(passes));
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      llvm::removeUnreachableBlocks(function);
}

llvm::Expected<Structure> findStructure(llvm::Function &function, bool isLlvmpipe) {
  return StructureFinder(function, isLlvmpipe).run();
}

} // namespace het::spirv
