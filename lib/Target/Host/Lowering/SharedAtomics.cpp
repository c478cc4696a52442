// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of functions, and atomics on memory that one thread of the process has for
// itself.

#include "../HostABI.h"
#include "Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <cstddef>

namespace het::host {

void setFunctionAttributes(llvm::Module &module, const llvm::TargetMachine &machine,
                           llvm::StringRef tune) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (!tune.empty())
      function.addFnAttr("tune-cpu", tune);
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("no-trapping-math", "true");
    function.setDoesNotThrow();
  }
}

/// Whether a pointer is to the block's shared memory: an offset from the field
/// `shared` of the HetHostBlock that a function takes first.
static bool isShared(const llvm::Value *pointer, const llvm::DataLayout &layout) {
  auto *base =
      llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0));
  if (!base || !base->hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return false;
  int64_t offset = 0;
  const llvm::Value *block =
      llvm::GetPointerBaseWithConstantOffset(base->getPointerOperand(), offset, layout);
  auto *argument = llvm::dyn_cast<llvm::Argument>(block);
  return argument && argument->getArgNo() == 0 &&
         offset == offsetof(HetHostBlock, shared);
}

/// A block's threads are one thread of this process: what they do to their shared
/// memory can not be torn by anybody, and needs no locked instruction.
void lowerSharedAtomics(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      if (update && !update->isVolatile() &&
          isShared(update->getPointerOperand(), layout))
        llvm::lowerAtomicRMWInst(update);
      else if (exchange && !exchange->isVolatile() &&
               isShared(exchange->getPointerOperand(), layout))
        llvm::lowerAtomicCmpXchgInst(exchange);
    }
}

} // namespace het::host
