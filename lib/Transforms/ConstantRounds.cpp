// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a thread's share of a constant number of elements: `for (i = threadIdx.x;
// i < 512; i += 256)`. Where the launch bounds say that threadIdx.x is less than 256,
// each thread makes two rounds, wherever it begins. LLVM's scalar evolution has the
// number of rounds as an expression of threadIdx.x whose range is one number, and does
// not look upon it as a constant; so such loops get a counter of their own, and can be
// unrolled.

#include "het/Transforms/ConstantRounds.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace het {
namespace {

/// Threads of a block at most by the kernel's launch bounds, which hold for each
/// dimension, too; 0: not said.
uint64_t maxThreads(const Function &kernel) {
  uint64_t threads = 1;
  SmallVector<StringRef, 3> sizes;
  kernel.getFnAttribute("nvvm.maxntid").getValueAsString().split(sizes, ',');
  for (StringRef size : sizes) {
    uint64_t value = 0;
    if (size.trim().getAsInteger(10, value) || value == 0 || value > 1024)
      return 0;
    threads *= value;
  }
  return threads <= 1024 ? threads : 0;
}

/// First number of the intrinsic's range, which is what a thread can see of its block;
/// none for other intrinsics.
std::optional<unsigned> leastOf(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return 0;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return 1;
  default:
    return std::nullopt;
  }
}

/// A range of one number that is small enough to be unrolled, as the count of the times
/// that the loop goes back; nullopt: it differs between threads, or is not known.
std::optional<uint64_t> constantBackedges(Loop &loop, ScalarEvolution &evolution) {
  if (evolution.getSmallConstantTripCount(&loop) != 0)
    return std::nullopt; // LLVM knows.
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count))
    return std::nullopt;
  const ConstantRange range =
      evolution.getUnsignedRange(evolution.applyLoopGuards(count, &loop));
  constexpr unsigned mostRounds = 64;
  const APInt *only = range.getSingleElement();
  return only && only->ult(mostRounds) ? std::optional(only->getZExtValue())
                                       : std::nullopt;
}

} // namespace

PreservedAnalyses LaunchBoundsPass::run(Function &function, FunctionAnalysisManager &) {
  const uint64_t threads = maxThreads(function);
  if (threads == 0)
    return PreservedAnalyses::all();
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (const auto least = leastOf(call->getIntrinsicID()))
        if (!call->getAttributes().hasRetAttr(Attribute::Range))
          call->addRangeRetAttr(
              ConstantRange(APInt(32, *least), APInt(32, *least + threads)));
  return PreservedAnalyses::all();
}

PreservedAnalyses ConstantRoundsPass::run(Loop &loop, LoopAnalysisManager &,
                                          LoopStandardAnalysisResults &analyses,
                                          LPMUpdater &) {
  BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!before || !branch || branch->isUnconditional() || loop.getExitingBlock() != latch)
    return PreservedAnalyses::all();
  const auto backedges = constantBackedges(loop, analyses.SE);
  if (!backedges)
    return PreservedAnalyses::all();
  IRBuilder<> builder(&loop.getHeader()->front());
  PHINode *round = builder.CreatePHI(builder.getInt32Ty(), 2, "round");
  builder.SetInsertPoint(branch);
  Value *next = builder.CreateNUWAdd(round, builder.getInt32(1));
  round->addIncoming(builder.getInt32(0), before);
  round->addIncoming(next, latch);
  Value *last = builder.getInt32(*backedges);
  branch->setCondition(loop.contains(branch->getSuccessor(0))
                           ? builder.CreateICmpNE(round, last)
                           : builder.CreateICmpEQ(round, last));
  analyses.SE.forgetLoop(&loop);
  return getLoopPassPreservedAnalyses();
}

} // namespace het
