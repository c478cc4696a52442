// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR → segments → LLVM IR → image of one kernel, and the artifact around it.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace het::tensix {
namespace {

LogicalResult formSegments(ModuleOp module) {
  PassManager passes(module.getContext());
  transforms::InsertSafePointsOptions safePoints;
  safePoints.teamOps = true;
  safePoints.uniformLoops = true;
  passes.addPass(transforms::createInsertSafePoints(safePoints));
  passes.addPass(transforms::createFormSegments());
  return passes.run(module);
}

llvm::SmallVector<char, 0> makeArtifact(const KernelFacts &facts, StringRef kernel,
                                        ArrayRef<char> image, uint32_t memoryBytes) {
  HetTensixArtifact header = {};
  header.magic = HET_TENSIX_MAGIC;
  header.variableCount = facts.variableCount;
  header.nameBytes = kernel.size();
  header.staticSharedBytes = facts.staticSharedBytes;
  header.argumentBytes = facts.argumentBytes;
  header.maxThreads = facts.maxThreads;
  header.imageBytes = image.size();
  header.memoryBytes = memoryBytes;
  header.frameBytesPerThread = facts.frameBytesPerThread;
  header.frameBytesPerBlock = facts.frameBytesPerBlock;
  llvm::SmallVector<char, 0> artifact;
  auto *bytes = reinterpret_cast<const char *>(&header);
  artifact.append(bytes, bytes + sizeof(header));
  artifact.append(kernel.begin(), kernel.end());
  artifact.append(image.begin(), image.end());
  return artifact;
}

/// A text may hold several kernels; each is lowered alone.
void dropOtherKernels(ModuleOp module, StringRef kernel) {
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (ir::isKernel(function) && function.getSymName() != kernel)
      function.erase();
}

} // namespace

llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(StringRef code, StringRef kernel, StringRef devicelibPath) {
  target::LoweringContext context;
  OwningOpRef<ModuleOp> module = context.parse(code);
  if (!module)
    return context.error();
  dropOtherKernels(*module, kernel);
  noteLanes(*module);
  if (failed(formSegments(*module)))
    return context.error();
  FailureOr<KernelFacts> facts = convertToTensix(*module, kernel);
  if (failed(facts) || failed(verify(*module)))
    return context.error();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      context.translate(*module, llvmContext, kernel);
  if (!llvmModule)
    return context.error();
  auto machine = createMachine();
  if (!machine)
    return machine.takeError();
  uint32_t memoryBytes = 0;
  auto image = generateImage(*llvmModule, **machine, devicelibPath, memoryBytes);
  if (!image)
    return image.takeError();
  return makeArtifact(*facts, kernel, *image, memoryBytes);
}

} // namespace het::tensix
