// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR → PTX text.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

namespace het::ptx {

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Machine &machine) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return llvm::createStringError(reason);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "sm_" + std::to_string(machine.capability),
      "+ptx" + std::to_string(machine.version), options, std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
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

/// Of 64 bits every GPU has them; wider ones came late.
static llvm::Error checkAtomics(llvm::Module &module, const Machine &machine) {
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

llvm::Expected<llvm::SmallVector<char, 0>>
generatePTX(llvm::Module &module, llvm::ArrayRef<std::string> kernels, const Machine &machine,
            const target::LaunchConstants &constants, llvm::StringRef devicelibPath) {
  auto targetMachine = createMachine(machine);
  if (!targetMachine)
    return targetMachine.takeError();
  module.setTargetTriple((*targetMachine)->getTargetTriple());
  module.setDataLayout((*targetMachine)->createDataLayout());
  target::defineDivisions(module, 64); // narrower ones give that on the machine
  target::legalizeWideIntegers(module);
  if (llvm::Error error = target::linkDeviceLibrary(module, devicelibPath))
    return error;
  convertSaturating(module);
  if (constants.block)
    setBlockShape(module, kernels, *constants.block);
  target::optimizeForSpeed(module, **targetMachine, target::CLibrary::Absent,
                           chooseUnrollCounts);
  if (llvm::Error error = checkAtomics(module, machine))
    return error;
  expandSharedAtomics(module); // address spaces are known now
  orderAtomics(module);
  if (machine.capability >= 70) // whose lanes go on by themselves
    meetAfterRecursiveCalls(module);
  keepWideProducts(module);
  keepShiftedDifferences(module);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  if ((*targetMachine)
          ->addPassesToEmitFile(passes, out, nullptr,
                                llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("LLVM can not emit PTX");
  passes.run(module);
  return text;
}

} // namespace het::ptx
