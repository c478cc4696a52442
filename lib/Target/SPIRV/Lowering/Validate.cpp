// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No driver sees a module that SPIRV-Tools finds wrong: some crash on one.

#include "Passes.h"
#include <spirv-tools/libspirv.h>

namespace het::spirv {

llvm::Error validate(llvm::StringRef code, const Machine &machine) {
  spv_context context =
      spvContextCreate(machine.isVulkan ? SPV_ENV_VULKAN_1_3 : SPV_ENV_UNIVERSAL_1_3);
  spv_const_binary_t binary = {reinterpret_cast<const uint32_t *>(code.data()),
                               code.size() / sizeof(uint32_t)};
  spv_diagnostic diagnostic = nullptr;
  spv_result_t result = spvValidate(context, &binary, &diagnostic);
  std::string text = diagnostic && diagnostic->error ? diagnostic->error : "";
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  if (result == SPV_SUCCESS)
    return llvm::Error::success();
  return llvm::createStringError("the SPIR-V that was made is not valid: %s",
                                 text.c_str());
}

} // namespace het::spirv
