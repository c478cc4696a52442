// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's RISC-V back end for the cores: rv32im, and Zba and Zbb on Blackhole; compressed
// code and relaxation off.

#include "LowerKernel.h"
#include "llvm/MC/TargetRegistry.h"
#include <mutex>

extern "C" void LLVMInitializeRISCVTargetInfo();
extern "C" void LLVMInitializeRISCVTarget();
extern "C" void LLVMInitializeRISCVTargetMC();
extern "C" void LLVMInitializeRISCVAsmPrinter();
extern "C" void LLVMInitializeRISCVAsmParser();

namespace het::tensix {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(llvm::StringRef arch) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInitializeRISCVAsmParser();
  });
  llvm::Triple triple("riscv32-unknown-unknown-elf");
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return llvm::createStringError(reason);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  options.FunctionSections = options.DataSections = true;
  options.MCOptions.ABIName = "ilp32";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "generic-rv32",
      arch == blackhole ? "+m,+zba,+zbb,-c,-relax" : "+m,-c,-relax", options,
      llvm::Reloc::Static, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
}

} // namespace het::tensix
