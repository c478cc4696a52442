// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's RISC-V back end for the cores: rv32im, and Zba and Zbb on Blackhole; compressed
// code and relaxation off.

#include "../../Support/Lowering/KernelLowering.h"
#include "Passes.h"
#include "llvm/Support/TargetSelect.h"

namespace het::tensix {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(llvm::StringRef arch) {
  target::initialiseBackEnd<LLVMInitializeRISCVTargetInfo, LLVMInitializeRISCVTarget,
                            LLVMInitializeRISCVTargetMC, LLVMInitializeRISCVAsmPrinter,
                            LLVMInitializeRISCVAsmParser>();
  target::MachineOptions options("riscv32-unknown-unknown-elf", "generic-rv32",
                                 arch == blackhole ? "+m,+zba,+zbb,-c,-relax"
                                                   : "+m,-c,-relax");
  options.options.FunctionSections = options.options.DataSections = true;
  options.options.MCOptions.ABIName = "ilp32";
  options.relocation = llvm::Reloc::Static;
  options.codeModel = llvm::CodeModel::Small;
  return target::createTargetMachine(options);
}

/// Inlining them wherever they are called would leave no room for a block.
void keepPartsApart(llvm::Module &module) {
  target::keepApart(module,
                    [](llvm::StringRef name) {
                      return target::isTeamFunction(name) ||
                             name.starts_with("__het_tensix_");
                    },
                    {llvm::Attribute::NoInline, llvm::Attribute::OptimizeForSize});
}

} // namespace het::tensix
