// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld initialises every back end of LLVM, for link-time optimisation of machine code that
// no target here makes. Their functions are defined here, so that the linker does not
// take the real ones, with 100 MB, out of LLVM's archives.

#include "llvm/Plugins/PassPlugin.h"

extern "C" {
#define HET_UNUSED_BACK_END(name)                                                        \
  void LLVMInitialize##name##Target() {}                                                 \
  void LLVMInitialize##name##TargetInfo() {}                                             \
  void LLVMInitialize##name##TargetMC() {}                                               \
  void LLVMInitialize##name##AsmPrinter() {}
#define HET_UNUSED_ASM_PARSER(name)                                                      \
  void LLVMInitialize##name##AsmParser() {}
#include "UnusedBackEnds.def"
}

// Extensions that this LLVM is built with, such as Polly.
#define HANDLE_EXTENSION(name)                                                           \
  llvm::PassPluginLibraryInfo get##name##PluginInfo() {                                  \
    return {LLVM_PLUGIN_API_VERSION, #name, "", [](llvm::PassBuilder &) {}, nullptr};    \
  }
#include "llvm/Support/Extension.def"
