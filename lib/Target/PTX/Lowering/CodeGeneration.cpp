// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX back end, and what a kernel's LLVM IR has to be for it.

#include "../../Support/Lowering/KernelLowering.h"
#include "Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/TargetSelect.h"

namespace het::ptx {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Machine &machine) {
  target::initialiseBackEnd<LLVMInitializeNVPTXTargetInfo, LLVMInitializeNVPTXTarget,
                            LLVMInitializeNVPTXTargetMC, LLVMInitializeNVPTXAsmPrinter>();
  return target::createTargetMachine({"nvptx64-nvidia-cuda",
                                      "sm_" + std::to_string(machine.capability),
                                      "+ptx" + std::to_string(machine.version)});
}

void setBlockShape(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                   const std::array<uint32_t, 3> &block) {
  std::string shape;
  for (auto [axis, size] : llvm::zip("xyz", block)) {
    shape += (shape.empty() ? "" : ",") + std::to_string(size);
    llvm::Function *reader = module.getFunction(
        (llvm::Twine("llvm.nvvm.read.ptx.sreg.ntid.") + llvm::Twine(axis)).str());
    if (reader)
      for (llvm::User *call : llvm::make_early_inc_range(reader->users())) {
        call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), size));
        llvm::cast<llvm::Instruction>(call)->eraseFromParent();
      }
  }
  // Not `reqntid`, which would say more: with it ptxas 13.0 takes a team to be together
  // where its lanes have come by different ways, and votes without waiting for them.
  for (const std::string &kernel : kernels)
    module.getFunction(kernel)->addFnAttr("nvvm.maxntid", shape);
}

/// Refuses atomic operations that the GPU lacks. Those of 64 bits every GPU has; wider
/// ones came late.
llvm::Error checkAtomics(llvm::Module &module, const Machine &machine) {
  constexpr unsigned wideCapability = 90, wideVersion = 83;
  if (machine.capability >= wideCapability && machine.version >= wideVersion)
    return llvm::Error::success();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      llvm::Type *type = instruction.getType();
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        type = store->getValueOperand()->getType();
      else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        type = exchange->getNewValOperand()->getType();
      if (instruction.isAtomic() && type->isSized() &&
          module.getDataLayout().getTypeSizeInBits(type) > 64)
        return llvm::createStringError(
            "an atomic operation of 128 bits: found sm_%u with PTX %u.%u, expected sm_%u "
            "or later with PTX %u.%u or later",
            machine.capability, machine.version / 10, machine.version % 10,
            wideCapability, wideVersion / 10, wideVersion % 10);
    }
  return llvm::Error::success();
}

llvm::Error legalise(llvm::Module &module, const Machine &machine) {
  if (llvm::Error error = checkAtomics(module, machine))
    return error;
  expandSharedAtomics(module); // address spaces are known now
  orderAtomics(module);
  addSmallFloatsAtomically(module);
  if (machine.capability >= 70) // whose lanes go on by themselves
    meetAfterRecursiveCalls(module);
  copyByVectors(module);
  extendIndicesBySign(module);
  keepWideProducts(module);
  keepShiftedDifferences(module);
  clampShifts(module);
  return llvm::Error::success();
}

} // namespace het::ptx
