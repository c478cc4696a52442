// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One part of the Tensix lowering, for FileCheck: tensix-pass NAME FILE. With emit-CHIP
// it prints assembly. `convert` takes hetIR with one kernel, which has been cut into
// segments, all others LLVM IR.

#include "Support/Lowering/SpaceMerging.h"
#include "Support/Lowering/TargetLowering.h"
#include "Tensix/Lowering/LowerKernel.h"
#include "Tensix/Lowering/Stack.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

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

static llvm::Error convert(const char *path) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return llvm::createStringError("%s: %s", path, file.getError().message().c_str());
  // As text, and with the services not linked yet: no package's code.
  mlir::DialectRegistry registry;
  het::ir::registerAllHetDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>((*file)->getBuffer(), &context);
  if (!module)
    return llvm::createStringError("%s: is not hetIR", path);
  mlir::LLVM::LLVMFuncOp kernel;
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>())
    if (het::ir::isKernel(function))
      kernel = function;
  if (!kernel)
    return llvm::createStringError("%s: there is no kernel", path);
  auto info = convertToTensix(kernel);
  if (failed(info))
    return llvm::createStringError("%s: could not be converted", path);
  llvm::outs() << "// layout: " << (info->layout ? "yes" : "none")
               << ", bytes of a thread: " << info->stateBytes << '\n'
               << *module;
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  if (argc == 3 && llvm::StringRef(argv[1]) == "convert") {
    llvm::Error error = convert(argv[2]);
    if (!error)
      return 0;
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      argc == 3 ? llvm::parseIRFile(argv[2], diagnostic, context) : nullptr;
  if (!module) {
    diagnostic.print(argv[0], llvm::errs());
    return 2;
  }
  module->setDataLayout(het::target::plainLayout);
  llvm::StringRef name = argv[1];
  const bool isEmitted = name.consume_front("emit-");
  if (llvm::Error error = isEmitted ? emit(name, *module) : run(name, *module)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  if (isEmitted)
    return 0;
  if (llvm::verifyModule(*module, &llvm::errs()))
    return 1;
  llvm::outs() << *module;
  return 0;
}
