// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR → LLVM IR → SPIR-V of one kernel, and the artifact around it.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace het::spirv {

llvm::Expected<Machine> Machine::parse(StringRef arch) {
  Machine machine;
  bool hasVersion = false;
  for (StringRef rest = arch; !rest.empty();) {
    auto [word, others] = rest.split(';');
    rest = others;
    hasVersion |= word.starts_with("spirv1.");
    if (std::optional<uint32_t> lack = lackNamed(word))
      machine.lacks |= *lack;
    if (word.consume_front("teams") &&
        (word.empty() ? "32" : word).getAsInteger(10, machine.lanes))
      return llvm::createStringError("architecture '%s': found teams of '%s' lanes",
                                     arch.str().c_str(), word.str().c_str());
    machine.segmentsAll |= word == "segmented";
    machine.isCPU |= word == "cpu";
    machine.emulatesDoubles |= word == "softfp64";
  }
  if (!hasVersion)
    return llvm::createStringError("architecture '%s': expected spirv1.3 or later",
                                   arch.str().c_str());
  return machine;
}

LogicalResult formSegments(ModuleOp module, unsigned pollInterval) {
  PassManager passes(module.getContext());
  transforms::InsertSafePointsOptions safePoints;
  safePoints.teamOps = true;
  safePoints.uniformLoops = true;
  safePoints.parkable = pollInterval != 0;
  safePoints.pollInterval = pollInterval;
  passes.addPass(transforms::createInsertSafePoints(safePoints));
  passes.addPass(transforms::createFormSegments());
  return passes.run(module);
}

static llvm::SmallVector<char, 0> makeArtifact(const KernelFacts &facts,
                                               StringRef kernel, StringRef code) {
  HetSpirvArtifact header = {};
  header.magic = HET_SPIRV_MAGIC;
  header.form = HET_SPIRV_MODULE;
  header.variableCount = facts.variableCount;
  header.nameBytes = kernel.size();
  header.staticSharedBytes = facts.staticSharedBytes;
  header.flags = facts.form == Form::Segmented ? HET_SPIRV_SEGMENTED
                 : facts.form == Form::Flat    ? HET_SPIRV_FLAT
                 : facts.form == Form::Split   ? HET_SPIRV_FLAT | HET_SPIRV_SPLIT
                                               : 0;
  if (facts.readsClock)
    header.flags |= HET_SPIRV_CLOCK;
  header.argumentBytes = facts.argumentBytes;
  header.maxThreads = facts.maxThreads;
  header.frameBytesPerThread = facts.frameBytesPerThread;
  header.frameBytesPerBlock = facts.frameBytesPerBlock;
  header.layout = facts.layout;
  header.stateBytes = facts.stateBytes;
  header.codeBytes = code.size();
  llvm::SmallVector<char, 0> artifact;
  auto *bytes = reinterpret_cast<const char *>(&header);
  artifact.append(bytes, bytes + sizeof(header));
  artifact.append(kernel.begin(), kernel.end());
  artifact.append(code.begin(), code.end());
  return artifact;
}

/// A text may hold several kernels; each is lowered alone.
static void dropOtherKernels(ModuleOp module, StringRef kernel) {
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (ir::isKernel(function) && function.getSymName() != kernel)
      function.erase();
}

static llvm::Expected<llvm::SmallVector<char, 0>>
lowerAs(Form form, StringRef code, StringRef kernelName, Machine machine,
        const LowerOptions &options) {
  target::LoweringContext context;
  OwningOpRef<ModuleOp> module = context.parse(code);
  if (!module)
    return context.error();
  dropOtherKernels(*module, kernelName);
  // What the device library computes inside is nobody's choice.
  machine.emulatesDoubles |=
      !computesDoubles(module->lookupSymbol<LLVM::LLVMFuncOp>(kernelName));
  if (form == Form::Segmented) {
    target::noteLanes(*module);
    if (failed(formSegments(*module, options.pollInterval)))
      return context.error();
  }
  FailureOr<KernelFacts> facts = convertToSPIRV(*module, kernelName, form, machine.lanes);
  if (failed(facts) || failed(verify(*module)))
    return context.error();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      context.translate(*module, llvmContext, kernelName);
  if (!llvmModule)
    return context.error();
  auto spirv = generateSPIRV(*llvmModule, machine, form, options.devicelibPath);
  if (!spirv)
    return spirv.takeError();
  if (uint32_t lacks = findLacks(*spirv, machine)) {
    module = context.parse(code);
    dropOtherKernels(*module, kernelName);
    reportLacks(module->lookupSymbol<LLVM::LLVMFuncOp>(kernelName), lacks);
    return context.error();
  }
  return makeArtifact(*facts, kernelName, *spirv);
}

/// Blocks are parked in the segmented form only.
static FormChoice chooseFor(LLVM::LLVMFuncOp kernel, const Machine &machine,
                            const LowerOptions &options) {
  if (machine.segmentsAll)
    return {Form::Segmented, "all kernels are, by the device's settings"};
  if (options.pollInterval)
    return {Form::Segmented, "it is to be parkable"};
  return chooseForm(kernel, machine.lanes);
}

/// The fastest form first. What it can not do the segmented form may be able to.
llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(StringRef code, StringRef kernelName, const Machine &machine,
            const LowerOptions &options, FormChoice &choice) {
  {
    target::LoweringContext context;
    OwningOpRef<ModuleOp> module = context.parse(code);
    if (!module)
      return context.error();
    auto kernel = module->lookupSymbol<LLVM::LLVMFuncOp>(kernelName);
    if (!kernel || !ir::isKernel(kernel))
      return llvm::createStringError("there is no kernel '%s' here",
                                     kernelName.str().c_str());
    dropOtherKernels(*module, kernelName);
    choice = chooseFor(kernel, machine, options);
  }
  auto artifact = lowerAs(choice.form, code, kernelName, machine, options);
  if (artifact || choice.form == Form::Segmented)
    return artifact;
  choice = {Form::Segmented, llvm::toString(artifact.takeError())};
  return lowerAs(Form::Segmented, code, kernelName, machine, options);
}

} // namespace het::spirv
