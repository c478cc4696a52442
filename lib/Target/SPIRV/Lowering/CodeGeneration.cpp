// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR → SPIR-V.

#include "../../Support/Lowering/TargetLowering.h"
#include "FreshAddresses.h"
#include "LowerKernel.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

extern "C" void LLVMInitializeSPIRVTargetInfo();
extern "C" void LLVMInitializeSPIRVTarget();
extern "C" void LLVMInitializeSPIRVTargetMC();
extern "C" void LLVMInitializeSPIRVAsmPrinter();

namespace het::spirv {

/// The back end optimises nothing: its strength reduction makes integers of odd widths,
/// whose upper bits the SPIR-V that comes of them forgets to clear.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Machine &machine) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  });
  llvm::Triple triple("spirv64v1." + std::to_string(machine.version - 10) +
                      "-unknown-unknown");
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return llvm::createStringError(reason);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "", "", options, std::nullopt, std::nullopt,
                                  llvm::CodeGenOptLevel::None));
}

/// Drivers take minutes to compile what comes of inlining and unrolling everything: the
/// scheduler, the team operations and, of a large kernel, the segments stay apart.
static void keepPartsApart(llvm::Module &module) {
  constexpr unsigned large = 4000; // instructions
  unsigned size = 0;
  for (const llvm::Function &function : module)
    size += function.getInstructionCount();
  auto isPart = [&](llvm::StringRef name) {
    if (name == "__het_spirv_has_fault")
      return false;
    return name.starts_with("__het_team_") || name.starts_with("__het_block_") ||
           name.starts_with("__het_schedule_") || name.starts_with("__het_spirv_") ||
           (size > large && name.contains(".segment."));
  };
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !isPart(function.getName()))
      continue;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
    function.addFnAttr(llvm::Attribute::MinSize);
  }
}

static llvm::Error prepare(llvm::Module &module, llvm::TargetMachine &targetMachine,
                           const Machine &machine, Form form,
                           llvm::StringRef devicelibPath) {
  llvm::StripDebugInfo(module);
  module.setDataLayout(plainLayout);
  if (llvm::Error error = makeIterative(module))
    return error;
  endAtFaults(module);
  expandWideAtomics(module);
  if (llvm::Error error = linkDeviceCode(module))
    return error;
  target::legalizeWideIntegers(module);
  if (llvm::Error error = target::linkDeviceLibrary(module, devicelibPath))
    return error;
  keepPartsApart(module);
  target::defineDivisions(module);
  target::optimizeForSpeed(module, targetMachine, target::CLibrary::Absent);
  target::inferSpaces(module, targetMachine, ir::globalSpace);
  if (llvm::Error error = expandAtomics(module, form))
    return error;
  if (machine.lacks & *lackNamed("nofp64")) {
    if (!machine.emulatesDoubles)
      moveDoubles(module);
    else if (llvm::Error error = emulateDoubles(module, targetMachine, devicelibPath))
      return error;
  }
  if (llvm::Error error = legalize(module, machine))
    return error;
  renumberSpaces(module);
  module.setTargetTriple(targetMachine.getTargetTriple());
  module.setDataLayout(targetMachine.createDataLayout());
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(module, &out))
    return llvm::createStringError("the lowered module is not LLVM IR: %s",
                                   text.c_str());
  return llvm::Error::success();
}

/// How many lanes the sub-groups have (SPIR-V's execution mode SubgroupSize).
static void setSubgroupSize(llvm::Module &module, unsigned lanes) {
  llvm::LLVMContext &context = module.getContext();
  auto *size = llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), lanes));
  module.getFunction(HET_SPIRV_ENTRY)
      ->setMetadata("intel_reqd_sub_group_size", llvm::MDNode::get(context, size));
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

llvm::Expected<std::string> generateSPIRV(llvm::Module &module, const Machine &machine,
                                          Form form, llvm::StringRef devicelibPath) {
  auto targetMachine = createMachine(machine);
  if (!targetMachine)
    return targetMachine.takeError();
  if (llvm::Error error = prepare(module, **targetMachine, machine, form, devicelibPath))
    return error;
  if (form == Form::Flat || form == Form::Split)
    setSubgroupSize(module, machine.lanes);
  auto code = emit(module, **targetMachine);
  if (!code)
    return code;
  if (llvm::Error error = validate(*code, machine))
    return error;
  return code;
}

} // namespace het::spirv
