// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs LLVM's own pipeline over a lowered kernel.

#include "LargeLoops.h"
#include "NarrowInductions.h"
#include "TargetLowering.h"
#include "het/Transforms/ConstantRounds.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace het::target {

namespace {

/// Analyses that passes ask about a module, and what watches the passes.
struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimePassesHandler times{llvm::TimePassesIsEnabled};

  Analyses() {
    times.registerCallbacks(callbacks);
    boundPasses(callbacks);
  }
  ~Analyses() { times.print(); }
  void registerWith(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

} // namespace

void runOnFunctions(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::FunctionPassManager passes) {
  Analyses analyses;
  llvm::PassBuilder builder(&machine, {}, std::nullopt, &analyses.callbacks);
  analyses.registerWith(builder);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses.functions);
}

void optimizeInHaste(llvm::Module &module, llvm::TargetMachine &machine) {
  Analyses analyses;
  llvm::PassBuilder builder(&machine, {}, std::nullopt, &analyses.callbacks);
  analyses.registerWith(builder);
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

void optimizeForSpeed(llvm::Module &module, llvm::TargetMachine *machine,
                      CLibrary library,
                      llvm::function_ref<void(llvm::PassBuilder &)> extend) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  // It fills vectors up by additions of -0.0 to values that are only copied, which
  // flushes them.
  tuning.SLPVectorization = llvm::none_of(module, [](const llvm::Function &function) {
    return function.getDenormalMode(llvm::APFloat::IEEEsingle()) !=
           llvm::DenormalMode::getIEEE();
  });
  Analyses analyses;
  llvm::PassBuilder builder(machine, tuning, std::nullopt, &analyses.callbacks);
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(KeepLargeLoops());
        passes.addPass(HideNarrowInductions());
      });
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(ConstantRoundsPass());
      });
  if (extend)
    extend(builder);
  llvm::TargetLibraryInfoImpl none(machine ? machine->getTargetTriple()
                                           : module.getTargetTriple());
  none.disableAllFunctions();
  if (library == CLibrary::Absent)
    analyses.functions.registerPass([&] { return llvm::TargetLibraryAnalysis(none); });
  analyses.registerWith(builder);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, analyses.modules);
}

} // namespace het::target
