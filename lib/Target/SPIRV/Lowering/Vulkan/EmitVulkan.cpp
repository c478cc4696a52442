// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps from a kernel's LLVM IR to SPIR-V for Vulkan, in their order.

#include "../../../Support/Lowering/KernelLowering.h"
#include "../../SPIRVArtifact.h"
#include "Translator.h"
#include "Vulkan.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

namespace het::spirv {

/// Folds what the steps before have put together.
static void tidy(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::DCEPass());
  target::runOnFunctions(module, machine, std::move(passes));
}

/// Functions that nothing calls (any more) would be translated, too.
static void dropUnused(llvm::Module &module) {
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (function.getName() != HET_SPIRV_ENTRY && function.use_empty()) {
        function.eraseFromParent();
        isDone = false;
      }
  }
}

llvm::Expected<VulkanCode> emitVulkan(llvm::Module &module,
                                      llvm::TargetMachine &targetMachine,
                                      const Machine &machine) {
  VulkanCode code;
  uint32_t localWords = 0;
  expandOperations(module, targetMachine);
  splitVectors(module, targetMachine);
  if (llvm::Error error = lowerAddresses(module, code.constants, localWords))
    return std::move(error);
  dropUnused(module);
  tidy(module, targetMachine);
  structurize(module, targetMachine);
  if (llvm::Error error = target::verifyModule(module, "after structuring"))
    return std::move(error);
  auto words = Translator(module, machine, localWords).run();
  if (!words)
    return words.takeError();
  if (llvm::Error error = validate(*words, machine))
    return std::move(error);
  code.module = std::move(*words);
  return code;
}

} // namespace het::spirv
