// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a map, and the answers to the lowering driver.

#include "LowerKernel.h"
#include "../../Support/Lowering/PluginTable.h"
#include "../../Support/Lowering/SpaceMerging.h"
#include "../TensixABI.h"
#include "Stack.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace het::tensix {

llvm::Expected<Chip> Chip::parse(StringRef text) {
  auto [arch, asked] = text.split(';');
  auto invalid = [](const llvm::Twine &what) {
    return llvm::make_error<target::InvalidRequest>(what.str());
  };
  if (!asked.empty() && asked != "blocks" && asked != "vectors")
    return invalid("map '" + asked + "': expected blocks or vectors");
  if (arch != wormhole && arch != blackhole)
    return invalid("architecture '" + arch + "': expected wormhole or blackhole");
  return Chip{arch.str(), asked == "blocks"    ? Map::Blocks
                          : asked == "vectors" ? Map::Vectors
                                               : Map::Chosen};
}

LogicalResult TensixLowering::form(LLVM::LLVMFuncOp kernel) {
  if (!refused)
    return KernelLowering::form(kernel);
  *refused = formVectorKernel(kernel->getParentOfType<ModuleOp>(), request.kernel);
  return *refused ? LogicalResult(kernel.emitError(**refused)) : success();
}

/// Where the constants of a kernel may lie: by chance its own place. The device refuses
/// artifacts whose places overlap.
static uint64_t constantsOf(const target::LowerRequest &request) {
  uint64_t hash = llvm::xxh3_64bits(request.code) ^ llvm::xxh3_64bits(request.kernel);
  return HET_TENSIX_CONSTANTS +
         hash % HET_TENSIX_CONSTANTS_PLACES * HET_TENSIX_CONSTANTS_ALIGNMENT;
}

/// With hetIR's pointers.
llvm::Error TensixLowering::prepare(llvm::Module &module) {
  module.setDataLayout(target::plainLayout);
  return llvm::Error::success();
}

void TensixLowering::linked(llvm::Module &module) {
  keepPartsApart(module);
  KernelLowering::linked(module);
}

/// Pointers to the core's own memory are seen to be that.
llvm::Error TensixLowering::nearPointers(llvm::Module &module) {
  auto placed = placeConstants(module, constantsOf(request));
  if (!placed)
    return placed.takeError();
  constants = std::move(*placed);
  // Arguments that a function is found to be given tell where its pointers lead.
  constexpr unsigned depth = 3;
  for (unsigned i = 0; i < depth; ++i) {
    target::inferSpaces(module, *machine, ir::localSpace);
    inferArguments(module);
  }
  target::inferSpaces(module, *machine, ir::localSpace);
  expandAtomics(module);
  splitAccesses(module);
  return target::verifyModule(module, "before pointers are narrowed");
}

llvm::Error TensixLowering::legalise(llvm::Module &module) {
  if (llvm::Error error = nearPointers(module))
    return error;
  if (refused && (*refused = vectorizeKernel(module)))
    return llvm::createStringError("%s", (*refused)->c_str());
  if (llvm::Error error =
          target::verifyModule(module, "after the vector unit's code was made"))
    return error;
  if (llvm::Error error = narrowPointers(module, machine->createDataLayout()))
    return error;
  module.setTargetTriple(machine->getTargetTriple());
  if (llvm::Error error = target::verifyModule(module, "after pointers were narrowed"))
    return error;
  optimise(module);
  return llvm::Error::success();
}

llvm::Expected<target::Artifact> TensixLowering::emit(llvm::Module &module) {
  Stack stack(module);
  Frames frames;
  auto object = emitObject(module, *machine, arch, frames);
  if (!object)
    return object.takeError();
  auto library = sumOfFrames(coreLibrary(arch));
  if (!library)
    return library.takeError();
  auto limit = stack.limit(frames, *library);
  if (!limit)
    return limit.takeError();
  return linkImage(*object, arch, *limit, memoryBytes);
}

target::Artifact TensixLowering::artifact(llvm::ArrayRef<char> code) {
  HetTensixArtifact header = {};
  header.magic = HET_TENSIX_MAGIC;
  header.variableCount = info.variableCount;
  header.nameBytes = request.kernel.size();
  header.reasonBytes = reason.size();
  header.staticSharedBytes = info.staticSharedBytes;
  header.argumentBytes = info.argumentBytes;
  header.maxThreads = info.maxThreads;
  header.imageBytes = code.size();
  header.memoryBytes = memoryBytes;
  header.layout = info.layout;
  header.stateBytes = info.stateBytes;
  header.constantsAddress = constants.address;
  header.constantsBytes = constants.bytes.size();
  header.frameBytesPerThread = info.frameBytesPerThread;
  header.frameBytesPerBlock = info.frameBytesPerBlock;
  return target::makeArtifact(header, {request.kernel, reason, target::bytesOf(code),
                                       target::bytesOf(llvm::ArrayRef(constants.bytes))});
}

llvm::Expected<Mapped> lowerKernel(const target::LowerRequest &request,
                                   const Chip &chip) {
  Reason refused = std::string("HET_TENSIX_MAP asks for it");
  if (request.pollInterval)
    refused = "map B has no safe points";
  else if (chip.map != Map::Blocks)
    refused.reset();
  if (!refused) {
    auto artifact = TensixLowering(request, chip.arch, "", &refused).run();
    if (artifact)
      return Mapped{std::move(*artifact), ""};
    if (!refused)
      return artifact.takeError();
    llvm::consumeError(artifact.takeError());
    if (chip.map == Map::Vectors)
      return llvm::createStringError("%s", refused->c_str());
  }
  auto artifact = TensixLowering(request, chip.arch, *refused, nullptr).run();
  if (!artifact)
    return artifact.takeError();
  return Mapped{std::move(*artifact), *refused};
}

} // namespace het::tensix
