// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own pipeline over a lowered kernel.

#include "NarrowInductions.h"
#include "TargetLowering.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace het::target {

void optimizeForSpeed(llvm::Module &module, llvm::TargetMachine &machine,
                      CLibrary library,
                      llvm::function_ref<void(llvm::PassBuilder &)> extend) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(HideNarrowInductions());
      });
  if (extend)
    extend(builder);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::TargetLibraryInfoImpl none(machine.getTargetTriple());
  none.disableAllFunctions();
  if (library == CLibrary::Absent)
    functions.registerPass([&] { return llvm::TargetLibraryAnalysis(none); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

} // namespace het::target
