// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the names that a kernel's shared object imports: the loader would bind any other
// name to whatever has it in the process.

#include "Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/RuntimeLibcalls.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace het::host {

/// Whether LLVM itself may have come to call a function, in generating code or for a loop
/// that is one.
static bool isCompilersOwn(llvm::StringRef name, const llvm::Triple &triple) {
  static const llvm::RTLIB::RuntimeLibcallsInfo known(triple);
  return known.getSupportedLibcallImpl(name) != llvm::RTLIB::Unsupported ||
         llvm::is_contained({"memcmp", "bcmp", "strlen", "wcslen"}, name);
}

llvm::Error checkImports(llvm::StringRef shared, const llvm::Triple &triple) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(shared, "kernel"));
  if (!file)
    return file.takeError();
  for (const llvm::object::ELFSymbolRef &symbol :
       llvm::cast<llvm::object::ELFObjectFileBase>(**file).getDynamicSymbolIterators()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() &&
        !isCompilersOwn(*name, triple))
      return llvm::createStringError(
          "the kernel refers to '%s', which is not in its package", name->str().c_str());
  }
  return llvm::Error::success();
}

} // namespace het::host
