// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR → segments → LLVM IR → image of one kernel, and the artifact around it.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace het::tensix {
namespace {

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

llvm::SmallVector<char, 0> makeArtifact(const KernelFacts &facts, StringRef kernel,
                                        StringRef reason, const Image &image) {
  HetTensixArtifact header = {};
  header.magic = HET_TENSIX_MAGIC;
  header.variableCount = facts.variableCount;
  header.nameBytes = kernel.size();
  header.reasonBytes = reason.size();
  header.staticSharedBytes = facts.staticSharedBytes;
  header.argumentBytes = facts.argumentBytes;
  header.maxThreads = facts.maxThreads;
  header.imageBytes = image.bytes.size();
  header.memoryBytes = image.memoryBytes;
  header.layout = facts.layout;
  header.stateBytes = facts.stateBytes;
  header.constantsAddress = image.constants.address;
  header.constantsBytes = image.constants.bytes.size();
  header.frameBytesPerThread = facts.frameBytesPerThread;
  header.frameBytesPerBlock = facts.frameBytesPerBlock;
  llvm::SmallVector<char, 0> artifact;
  auto *bytes = reinterpret_cast<const char *>(&header);
  artifact.append(bytes, bytes + sizeof(header));
  artifact.append(kernel.begin(), kernel.end());
  artifact.append(reason.begin(), reason.end());
  artifact.append(image.bytes.begin(), image.bytes.end());
  artifact.append(image.constants.bytes.begin(), image.constants.bytes.end());
  return artifact;
}

/// Where the constants of a kernel may lie: by chance its own place. The device refuses
/// artifacts whose places overlap.
uint64_t constantsOf(StringRef code, StringRef kernel) {
  uint64_t hash = llvm::xxh3_64bits(code) ^ llvm::xxh3_64bits(kernel);
  return HET_TENSIX_CONSTANTS + hash % HET_TENSIX_CONSTANTS_PLACES *
                                    HET_TENSIX_CONSTANTS_ALIGNMENT;
}

/// A text may hold several kernels; each is lowered alone.
void dropOtherKernels(ModuleOp module, StringRef kernel) {
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (ir::isKernel(function) && function.getSymName() != kernel)
      function.erase();
}

struct Lowered {
  KernelFacts facts;
  Image image;
};

/// By map B if `refused` is given: what has no place there leaves its reason in it.
llvm::Expected<Lowered> lower(StringRef code, StringRef kernel, const LowerOptions &options,
                              Reason *refused) {
  target::LoweringContext context;
  OwningOpRef<ModuleOp> module = context.parse(code);
  if (!module)
    return context.error();
  dropOtherKernels(*module, kernel);
  if (refused) {
    if ((*refused = formVectorKernel(*module, kernel)))
      return llvm::createStringError("%s", (*refused)->c_str());
  } else {
    target::noteLanes(*module);
    if (failed(formSegments(*module, options.pollInterval)))
      return context.error();
  }
  FailureOr<KernelFacts> facts = convertToTensix(*module, kernel);
  if (failed(facts) || failed(verify(*module)))
    return context.error();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      context.translate(*module, llvmContext, kernel);
  if (!llvmModule)
    return context.error();
  auto image = generateImage(*llvmModule, options.arch, options.devicelibPath,
                             constantsOf(code, kernel), refused);
  if (!image)
    return image.takeError();
  return Lowered{*facts, std::move(*image)};
}

} // namespace

llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(StringRef code, StringRef kernel, const LowerOptions &options) {
  Reason refused = std::string("HET_TENSIX_MAP asks for it");
  if (options.pollInterval)
    refused = "map B has no safe points";
  else if (options.map != Map::Blocks)
    refused.reset();
  if (!refused) {
    auto lowered = lower(code, kernel, options, &refused);
    if (lowered)
      return makeArtifact(lowered->facts, kernel, "", lowered->image);
    if (options.map == Map::Vectors || !refused)
      return lowered.takeError();
    llvm::consumeError(lowered.takeError());
  } else if (options.map == Map::Vectors && !options.pollInterval) {
    return llvm::createStringError("%s", refused->c_str());
  }
  auto lowered = lower(code, kernel, options, nullptr);
  if (!lowered)
    return lowered.takeError();
  return makeArtifact(lowered->facts, kernel, *refused, lowered->image);
}

} // namespace het::tensix
