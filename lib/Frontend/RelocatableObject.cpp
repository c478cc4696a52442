// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes Clang's host code for -fgpu-rdc fit our device link. Its constructor calls
// __cudaRegisterLinkedBinary__nv_<hash>, where the hash is one of the source's name
// alone: two files of one name in two folders would collide. Our id is in its place.

#include "RelocatableObject.h"

#include "ClangPasses.h"
#include "DeviceObjects.h"

#include "clang/Basic/CodeGenOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace het;
using llvm::StringRef;

namespace {

class EmbedRelocatable : public llvm::PassInfoMixin<EmbedRelocatable> {
public:
  EmbedRelocatable(PendingImage &image, std::string id)
      : image(image), id(std::move(id)) {}

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    const Bytes *bytes = image.wait();
    if (!bytes) {
      module.getContext().emitError(imagePath); // the reason has been shown
      return llvm::PreservedAnalyses::all();
    }
    const StringRef contents(reinterpret_cast<const char *>(bytes->data()),
                             bytes->size());
    llvm::embedBufferInModule(module, {contents, deviceSection}, deviceSection,
                              llvm::Align(8));
    for (llvm::Function &function : module)
      if (function.getName().starts_with(registerPrefix))
        function.setName(registerPrefix + id);
    // An alias for nvcc's own link.
    for (llvm::GlobalAlias &alias : llvm::make_early_inc_range(module.aliases()))
      if (alias.getName().starts_with("__fatbinwrap_") && alias.use_empty())
        alias.eraseFromParent();
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

private:
  PendingImage &image;
  std::string id;
};

} // namespace

void het::embedRelocatable(clang::CodeGenOptions &options, PendingImage &image,
                           const std::string &id) {
  options.PassBuilderCallbacks.push_back([&image, id](llvm::PassBuilder &builder) {
    builder.registerPipelineStartEPCallback(
        [&image, id](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
          manager.addPass(EmbedRelocatable(image, id));
        });
  });
}
