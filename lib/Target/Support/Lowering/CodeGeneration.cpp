// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets up LLVM's target machines and emits code by them.

#include "KernelLowering.h"
#include "LargeSums.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"

namespace het::target {

MachineOptions::MachineOptions(std::string triple, std::string cpu, std::string features)
    : triple(std::move(triple)), cpu(std::move(cpu)), features(std::move(features)) {
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const MachineOptions &options) {
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(options.triple, reason);
  if (!target)
    return llvm::createStringError(reason);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      options.triple, options.cpu, options.features, options.options, options.relocation,
      options.codeModel, options.level));
}

static bool hasLargeBlock(const llvm::Module &module) {
  constexpr size_t large = 4000; // instructions
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      if (block.size() > large)
        return true;
  return false;
}

/// The back end's passes, as addPassesToEmitFile has them but for the schedulers, which
/// look at each pair of a block's accesses to memory. False where there are none.
static bool addUnscheduled(llvm::legacy::PassManager &passes,
                           llvm::TargetMachine &machine, llvm::raw_pwrite_stream &out,
                           llvm::CodeGenFileType type) {
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine); // the manager's
  llvm::TargetPassConfig *steps = machine.createPassConfig(passes);
  steps->setDisableVerify(true);
  for (llvm::AnalysisID scheduler : {&llvm::MachineSchedulerID, &llvm::PostRASchedulerID,
                                     &llvm::PostMachineSchedulerID})
    steps->disablePass(scheduler);
  passes.add(new llvm::RuntimeLibraryInfoWrapper(machine.getTargetTriple()));
  passes.add(steps);
  passes.add(info);
  if (steps->addISelPasses())
    return false;
  steps->addMachinePasses();
  steps->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, type, info->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

llvm::Expected<Artifact> emitCode(llvm::Module &module, llvm::TargetMachine &machine,
                                  llvm::CodeGenFileType type) {
  Artifact code;
  llvm::raw_svector_ostream out(code);
  const KeepLargeSums gate(module);
  llvm::legacy::PassManager passes;
  const bool has = hasLargeBlock(module)
                       ? addUnscheduled(passes, machine, out, type)
                       : !machine.addPassesToEmitFile(passes, out, nullptr, type);
  if (!has)
    return llvm::createStringError("LLVM can not emit code for %s",
                                   machine.getTargetTriple().str().c_str());
  passes.run(module);
  return code;
}

llvm::Error verifyModule(const llvm::Module &module, llvm::StringRef when) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!llvm::verifyModule(module, &out))
    return llvm::Error::success();
  return llvm::createStringError("%s the module is not LLVM IR: %s", when.str().c_str(),
                                 text.c_str());
}

void keepApart(llvm::Module &module, llvm::function_ref<bool(llvm::StringRef)> isApart,
               llvm::ArrayRef<llvm::Attribute::AttrKind> attributes) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !isApart(function.getName()))
      continue;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::Attribute::AttrKind attribute : attributes)
      function.addFnAttr(attribute);
  }
}

} // namespace het::target
