// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR → code of the cores.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"
#include "Stack.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"

namespace het::tensix {

/// Inlining the scheduler and the team operations wherever they are called would leave no
/// room for a block.
static void keepPartsApart(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    bool isPart = name.starts_with("__het_team_") || name.starts_with("__het_block_") ||
                  name.starts_with("__het_schedule_") ||
                  name.starts_with("__het_tensix_");
    if (function.isDeclaration() || !isPart)
      continue;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
  }
}

static llvm::Error verify(llvm::Module &module, const char *when) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!llvm::verifyModule(module, &out))
    return llvm::Error::success();
  return llvm::createStringError("%s the module is not LLVM IR: %s", when, text.c_str());
}

/// With hetIR's pointers.
static llvm::Error prepare(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::StringRef devicelibPath, FarConstants &constants) {
  llvm::StripDebugInfo(module);
  module.setDataLayout(plainLayout);
  if (llvm::Error error = linkDeviceCode(module))
    return error;
  target::legalizeWideIntegers(module);
  if (llvm::Error error = target::linkDeviceLibrary(module, devicelibPath))
    return error;
  keepPartsApart(module);
  target::defineDivisions(module);
  target::optimizeForSpeed(module, machine, target::CLibrary::Absent);
  auto placed = placeConstants(module, constants.address);
  if (!placed)
    return placed.takeError();
  constants = std::move(*placed);
  // What a function is found to be given tells where its pointers lead.
  constexpr unsigned depth = 3;
  for (unsigned i = 0; i < depth; ++i) {
    target::inferSpaces(module, machine, ir::localSpace);
    inferArguments(module);
  }
  target::inferSpaces(module, machine, ir::localSpace);
  expandAtomics(module);
  splitAccesses(module);
  return verify(module, "before pointers are narrowed");
}

llvm::Expected<Image> generateImage(llvm::Module &module, llvm::StringRef arch,
                                    llvm::StringRef devicelibPath, uint64_t constants,
                                    Reason *refused) {
  auto created = createMachine(arch);
  if (!created)
    return created.takeError();
  llvm::TargetMachine &machine = **created;
  Image image;
  image.constants.address = constants;
  if (llvm::Error error = prepare(module, machine, devicelibPath, image.constants))
    return error;
  if (refused && (*refused = vectorizeKernel(module)))
    return llvm::createStringError("%s", (*refused)->c_str());
  if (llvm::Error error = verify(module, "after the vector unit's code was made"))
    return error;
  if (llvm::Error error = narrowPointers(module, machine.createDataLayout()))
    return error;
  module.setTargetTriple(machine.getTargetTriple());
  if (llvm::Error error = verify(module, "after pointers were narrowed"))
    return error;
  target::optimizeForSpeed(module, machine, target::CLibrary::Absent);
  Stack stack(module);
  Frames frames;
  auto object = emitObject(module, machine, arch, frames);
  if (!object)
    return object.takeError();
  auto library = sumOfFrames(coreLibrary(arch));
  if (!library)
    return library.takeError();
  auto limit = stack.limit(frames, *library);
  if (!limit)
    return limit.takeError();
  auto linked = linkImage(*object, arch, *limit, image.memoryBytes);
  if (!linked)
    return linked.takeError();
  image.bytes = std::move(*linked);
  return image;
}

} // namespace het::tensix
