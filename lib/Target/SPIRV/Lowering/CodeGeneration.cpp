// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes SPIR-V of LLVM IR by LLVM's back end.

#include "../../Support/Lowering/KernelLowering.h"
#include "FreshAddresses.h"
#include "Passes.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

namespace het::spirv {

/// Its strength reduction makes integers of odd widths, whose upper bits the SPIR-V that
/// comes of them forgets to clear.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Machine &machine) {
  target::initialiseBackEnd<LLVMInitializeSPIRVTargetInfo, LLVMInitializeSPIRVTarget,
                            LLVMInitializeSPIRVTargetMC, LLVMInitializeSPIRVAsmPrinter>();
  target::MachineOptions options(
      "spirv64v1." + std::to_string(machine.version - 10) + "-unknown-unknown", "", "");
  options.level = llvm::CodeGenOptLevel::None;
  return target::createTargetMachine(options);
}

/// Drivers take minutes to compile what comes of inlining and unrolling everything: the
/// scheduler, the team operations and, of a large kernel, the segments stay apart.
void keepPartsApart(llvm::Module &module) {
  constexpr unsigned large = 4000; // instructions
  unsigned size = 0;
  for (const llvm::Function &function : module)
    size += function.getInstructionCount();
  auto isPart = [&](llvm::StringRef name) {
    if (name == "__het_spirv_has_fault")
      return false;
    return target::isTeamFunction(name) || name.starts_with("__het_spirv_") ||
           (size > large && name.contains(".segment."));
  };
  target::keepApart(module, isPart,
                    {llvm::Attribute::NoInline, llvm::Attribute::OptimizeForSize,
                     llvm::Attribute::MinSize});
}

/// The back end's passes, as addPassesToEmitFile has them, with one of this plug-in's
/// behind the last over IR. False where there are none.
static bool addPasses(llvm::legacy::PassManager &passes, llvm::TargetMachine &machine,
                      llvm::raw_pwrite_stream &out, llvm::DenseSet<const void *> &used) {
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  passes.add(config);
  passes.add(info);
  config->insertPass(&llvm::StackProtector::ID, createFreshAddresses(machine, used));
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile,
                            info->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

/// Runs LLVM's back end, whose own data are the process's.
static llvm::Expected<std::string> emit(llvm::Module &module,
                                        llvm::TargetMachine &targetMachine) {
  static std::mutex mutex;
  static llvm::DenseSet<const void *> used;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream out(code);
  llvm::legacy::PassManager passes;
  if (!addPasses(passes, targetMachine, out, used))
    return llvm::createStringError("LLVM can not emit SPIR-V");
  passes.run(module);
  return std::string(code.begin(), code.end());
}

llvm::Expected<std::string> emitSPIRV(llvm::Module &module,
                                      llvm::TargetMachine &targetMachine,
                                      const Machine &machine) {
  auto code = emit(module, targetMachine);
  if (!code)
    return code;
  if (llvm::Error error = validate(*code, machine))
    return error;
  return code;
}

} // namespace het::spirv
