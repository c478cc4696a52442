// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target's own functions, which its plug-in carries as bitcode.

#include "TargetLowering.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

namespace het::target {

llvm::Error linkDeviceCode(llvm::Module &module, llvm::StringRef bitcode) {
  auto library = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "DeviceCode"),
                                        module.getContext());
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  llvm::SmallVector<std::string> names;
  for (llvm::Function &function : **library)
    names.push_back(function.getName().str());
  if (llvm::Linker::linkModules(module, std::move(*library),
                                llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the device code could not be linked");
  for (const std::string &name : names) {
    llvm::Function *function = module.getFunction(name);
    if (!function)
      continue;
    if (!function->isDeclaration())
      function->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (const char *attribute : {"target-cpu", "target-features", "tune-cpu"})
      function->removeFnAttr(attribute);
  }
  return llvm::Error::success();
}

} // namespace het::target
