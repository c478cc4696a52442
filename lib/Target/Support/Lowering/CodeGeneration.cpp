// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets up LLVM's target machines and emits code by them.

#include "KernelLowering.h"
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

llvm::Expected<Artifact> emitCode(llvm::Module &module, llvm::TargetMachine &machine,
                                  llvm::CodeGenFileType type) {
  Artifact code;
  llvm::raw_svector_ostream out(code);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type))
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
