// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One part of the Tensix lowering, for FileCheck: tensix-pass NAME FILE. With emit-CHIP
// it prints assembly. `convert` takes hetIR with one kernel, which has been cut into
// segments, all others LLVM IR.

#include "../PassTool.h"
#include "Tensix/Lowering/LowerKernel.h"
#include "Tensix/Lowering/Stack.h"

using namespace het::tensix;

/// The last steps, to assembly, and the limit of the stack.
static llvm::Error emit(llvm::StringRef arch, llvm::Module &module) {
  auto machine = createMachine(arch);
  if (!machine)
    return machine.takeError();
  module.setDataLayout((*machine)->createDataLayout());
  module.setTargetTriple((*machine)->getTargetTriple());
  Stack stack(module);
  Frames frames;
  auto text =
      emitObject(module, **machine, arch, frames, llvm::CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  auto limit = stack.limit(frames, /*library=*/1000);
  if (!limit)
    return limit.takeError();
  llvm::outs() << *text << "# limit " << *limit << '\n';
  return llvm::Error::success();
}

static llvm::Error run(llvm::StringRef name, llvm::Module &module) {
  if (name.consume_front("emit-"))
    return emit(name, module);
  if (name == "infer-arguments")
    return inferArguments(module), llvm::Error::success();
  if (name == "expand-atomics")
    return expandAtomics(module), llvm::Error::success();
  if (name == "split-accesses")
    return splitAccesses(module), llvm::Error::success();
  if (name == "vector-ifs") {
    for (llvm::Function &function : module)
      if (!function.isDeclaration())
        convertIfs(function);
    return llvm::Error::success();
  }
  if (name == "vectorize") {
    Reason reason = vectorizeKernel(module);
    return reason ? llvm::createStringError("%s", reason->c_str())
                  : llvm::Error::success();
  }
  if (name == "narrow-pointers") {
    auto machine = createMachine(wormhole);
    return machine ? narrowPointers(module, (*machine)->createDataLayout())
                   : machine.takeError();
  }
  return llvm::createStringError("there is no pass '%s'", name.str().c_str());
}

int main(int argc, char **argv) {
  return het::target::runPassTool(argc, argv, convertToTensix, run);
}
