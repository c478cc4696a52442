// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking DeviceCode.c, whose bitcode this plug-in carries.

#include "LowerKernel.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

namespace het::spirv {

static const unsigned char deviceCode[] = {
#embed HET_SPIRV_DEVICE_CODE
};

llvm::Error linkDeviceCode(llvm::Module &module) {
  llvm::MemoryBufferRef buffer(
      llvm::StringRef(reinterpret_cast<const char *>(deviceCode), sizeof(deviceCode)),
      "DeviceCode");
  auto library = llvm::parseBitcodeFile(buffer, module.getContext());
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
    if (!function || function->isDeclaration())
      continue;
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (const char *attribute : {"target-cpu", "target-features", "tune-cpu"})
      function->removeFnAttr(attribute);
  }
  return llvm::Error::success();
}

} // namespace het::spirv
