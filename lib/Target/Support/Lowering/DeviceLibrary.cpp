// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking the device library (runtime/devicelib) into a lowered kernel: only what
// it calls, internal, so that the inliner takes it.

#include "TargetLowering.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

namespace het::target {

/// Where the library has no approximate form of a function, its exact form serves.
static void useExactForms(llvm::Module &module, const llvm::Module &library) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.contains("_approx_") ||
        library.getFunction(name))
      continue;
    auto [base, type] = name.split("_approx_");
    std::string exact = (base + "_" + type).str();
    auto callee = module.getOrInsertFunction(exact, function.getFunctionType());
    function.replaceAllUsesWith(callee.getCallee());
    function.eraseFromParent();
  }
}

bool isTeamFunction(llvm::StringRef name) {
  return name.starts_with("__het_block_") || name.starts_with("__het_team_") ||
         name.starts_with("__het_schedule_");
}

llvm::Error linkDeviceLibrary(llvm::Module &module, llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "device library '%s': %s",
                                   path.str().c_str(),
                                   buffer.getError().message().c_str());
  auto library =
      llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library)
    return library.takeError();
  useExactForms(module, **library);
  std::vector<std::string> missing;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__het_") &&
        !(*library)->getFunction(function.getName()))
      missing.push_back(function.getName().str());
  if (!missing.empty())
    return llvm::createStringError(
        "the device library has no '%s'; it is not supported yet",
        missing.front().c_str());
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  llvm::SmallPtrSet<const llvm::GlobalValue *, 16> own;
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      own.insert(&value);
  if (llvm::Linker::linkModules(module, std::move(*library),
                                llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the device library could not be linked");
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || own.contains(&function))
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    if (function.hasFnAttribute(llvm::Attribute::NoInline) ||
        function.hasFnAttribute(llvm::Attribute::AlwaysInline))
      continue;
    // The scheduler is large, and a kernel may have many places that need it.
    if (isTeamFunction(function.getName()))
      function.addFnAttr(llvm::Attribute::NoInline);
    else if (function.getInstructionCount() < 400)
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration() && !own.contains(&global))
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
  return llvm::Error::success();
}

} // namespace het::target
