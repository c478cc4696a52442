// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own pipeline without a target: no vectorisers, no library functions,
// no costs of any machine.

#include "Optimize.h"
#include "AddressSpaces.h"
#include "LaunchBounds.h"
#include "PTX/Carries.h"
#include "PTX/InlineAssembly.h"
#include "SharedAddresses.h"

#include "het/Frontend/Frontend.h"
#include "het/Transforms/ConstantRounds.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace het;
using namespace llvm;

/// A call costs a device far more than code size does: NVPTX's own inliner is
/// eleven times as eager as LLVM's default of 225.
static constexpr int inlinerThreshold = 2475;

static PipelineTuningOptions tuning() {
  PipelineTuningOptions options;
  options.LoopVectorization = false;
  options.LoopInterleaving = false;
  options.SLPVectorization = false;
  options.CallGraphProfile = false;
  options.InlinerThreshold = inlinerThreshold;
  return options;
}

/// -G: the source's shape is kept; sync points are inlined and variables leave
/// memory, without which hetIR cannot tell what is live. What functions do with pointers
/// is noted for placeLocalObjects.
static ModulePassManager minimalPipeline() {
  ModulePassManager manager;
  manager.addPass(AlwaysInlinerPass());
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(AddressSpacesPass());
  functions.addPass(InferAddressSpacesPass(0));
  functions.addPass(EarlyCSEPass());
  functions.addPass(InstSimplifyPass());
  functions.addPass(SimplifyCFGPass());
  manager.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  manager.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  return manager;
}

namespace {

/// The costs of no machine, but that sums of 64 bits are dearer than those of 32, as on
/// all GPUs. So counters of loops keep the width that the source gives them. The targets
/// that lose nothing by wider ones make them wider.
class NarrowCounters : public TargetTransformInfoImplCRTPBase<NarrowCounters> {
public:
  explicit NarrowCounters(const DataLayout &layout)
      : TargetTransformInfoImplCRTPBase(layout) {}

  InstructionCost
  getArithmeticInstrCost(unsigned opcode, Type *type, TTI::TargetCostKind kind,
                         TTI::OperandValueInfo left, TTI::OperandValueInfo right,
                         ArrayRef<const Value *> operands,
                         const Instruction *context = nullptr) const override {
    const InstructionCost cost = TargetTransformInfoImplBase::getArithmeticInstrCost(
        opcode, type, kind, left, right, operands, context);
    const bool isWideSum = opcode == Instruction::Add && type->isIntegerTy(64) &&
                           kind == TTI::TCK_RecipThroughput;
    return isWideSum ? cost * 2 : cost;
  }
};

/// The analyses of one run, and the pipelines over them.
class Optimizer {
public:
  explicit Optimizer(Module &module)
      : module(module), builder(/*TM=*/nullptr, tuning()),
        library(module.getTargetTriple()) {
    // There is no C library on a device: a function named `malloc` or `sin` is
    // the user's or the runtime's.
    library.disableAllFunctions();
    functions.registerPass([&] { return TargetLibraryAnalysis(library); });
    functions.registerPass([] {
      return TargetIRAnalysis([](const Function &function) {
        return TargetTransformInfo(
            std::make_unique<NarrowCounters>(function.getDataLayout()));
      });
    });
    builder.registerScalarOptimizerLateEPCallback(
        [](FunctionPassManager &manager, OptimizationLevel) {
          manager.addPass(SharedAddressesPass());
          manager.addPass(AddressSpacesPass());
          manager.addPass(InferAddressSpacesPass(0));
        });
    builder.registerPeepholeEPCallback(
        [](FunctionPassManager &manager, OptimizationLevel) {
          manager.addPass(LaunchBoundsPass());
        });
    builder.registerLateLoopOptimizationsEPCallback(
        [](LoopPassManager &manager, OptimizationLevel) {
          manager.addPass(ConstantRoundsPass());
        });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  void run(bool minimal) {
    ModulePassManager manager =
        minimal ? minimalPipeline()
                : builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
    manager.addPass(GlobalDCEPass());
    manager.run(module, modules);
  }

  void removeUnreached() { GlobalDCEPass().run(module, modules); }

  /// Makes all cycles loops of one header, which analyses such as that of waiting loops
  /// need: they see no others.
  void makeReducible() {
    FunctionPassManager manager;
    manager.addPass(LowerSwitchPass());
    manager.addPass(FixIrreduciblePass());
    for (Function &function : module) {
      if (function.isDeclaration())
        continue;
      const ReversePostOrderTraversal<const Function *> order(&function);
      auto &cycles = functions.getResult<LoopAnalysis>(function);
      if (containsIrreducibleCFG<const BasicBlock *>(order, cycles))
        functions.invalidate(function, manager.run(function, functions));
    }
  }

private:
  Module &module;
  PassBuilder builder;
  TargetLibraryInfoImpl library;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
};

} // namespace

void het::optimizeModule(Module &module, const CompileOptions &options) {
  inlineWhatSynchronises(module);
  Optimizer(module).run(options.deviceDebug);
  keepCarriesInFunctions(module);
  // Only now, so that calls whose target is known have become direct ones.
  const bool hadPointers = lowerFunctionPointers(module);
  removeUnreached(module); // What has a number and is never called.
  removeEmptyAssembly(module);
  // Optimisation also makes loops of recursion.
  if (inlineWhatSynchronises(module) || hadPointers)
    Optimizer(module).run(/*minimal=*/true);
  returnFromExits(module);
  Optimizer(module).makeReducible();
  expandApproximations(module);
  placeLocalObjects(module);
  settleUndefinedValues(module);
}

void het::removeUnreached(Module &module) { Optimizer(module).removeUnreached(); }
