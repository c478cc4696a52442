// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR → PTX text.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"
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

/// NVPTX has no division of more than 64 bits, and no library that would have it.
static void expandWideDivisions(llvm::Module &module) {
  llvm::SmallVector<llvm::BinaryOperator *> divisions;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isIntDivRem() &&
          instruction.getType()->getScalarSizeInBits() > 64)
        divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator *division : divisions) {
    unsigned opcode = division->getOpcode();
    if (opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SDiv)
      llvm::expandDivision(division);
    else
      llvm::expandRemainder(division);
  }
}

/// LLVM ends the process at these; so they are found before it sees them.
static llvm::Error findUnsupported(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      bool converts = llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst, llvm::SIToFPInst,
                                llvm::UIToFPInst>(instruction);
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        converts = call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat ||
                   call->getIntrinsicID() == llvm::Intrinsic::fptoui_sat;
      if (!converts)
        continue;
      for (llvm::Type *type :
           {instruction.getType(), instruction.getOperand(0)->getType()})
        if (type->isIntegerTy() && type->getIntegerBitWidth() > 64)
          return llvm::createStringError(
              "conversion between a 128-bit integer and a floating-point number: "
              "PTX has none yet");
    }
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
generatePTX(llvm::Module &module, const Machine &machine,
            llvm::StringRef devicelibPath) {
  auto targetMachine = createMachine(machine);
  if (!targetMachine)
    return targetMachine.takeError();
  llvm::StripDebugInfo(module); // ptxas optimises nothing that has some
  module.setTargetTriple((*targetMachine)->getTargetTriple());
  module.setDataLayout((*targetMachine)->createDataLayout());
  if (llvm::Error error = target::linkDeviceLibrary(module, devicelibPath))
    return error;
  target::optimizeForSpeed(module, **targetMachine, target::CLibrary::Absent);
  expandWideDivisions(module);
  if (llvm::Error error = findUnsupported(module))
    return error;
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
