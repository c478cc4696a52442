// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of threadIdx and blockDim in kernels with launch bounds: no dimension of a block
// has more threads than the block.

#include "LaunchBounds.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace het {
namespace {

/// The most threads that a block has by the kernel's launch bounds; 0: not said.
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

/// Least value of a thread's place in its block, or of the block's size; none for other
/// intrinsics.
std::optional<unsigned> leastValue(Intrinsic::ID intrinsic) {
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

} // namespace

PreservedAnalyses LaunchBoundsPass::run(Function &function, FunctionAnalysisManager &) {
  const uint64_t threads = maxThreads(function);
  if (threads == 0)
    return PreservedAnalyses::all();
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (const auto least = leastValue(call->getIntrinsicID()))
        if (!call->getAttributes().hasRetAttr(Attribute::Range))
          call->addRangeRetAttr(
              ConstantRange(APInt(32, *least), APInt(32, *least + threads)));
  return PreservedAnalyses::all();
}

} // namespace het
