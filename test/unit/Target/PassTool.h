// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tools for parts of a lowering share: a kernel that is converted by itself, or
// a module of LLVM IR that goes through one pass.

#ifndef HET_TEST_TARGET_PASSTOOL_H
#define HET_TEST_TARGET_PASSTOOL_H

#include "Support/Lowering/KernelLowering.h"
#include "Support/Lowering/SpaceMerging.h"
#include "Support/Lowering/TargetLowering.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace het::target {

using ConvertFunction = mlir::FailureOr<KernelInfo> (*)(mlir::LLVM::LLVMFuncOp);
using PassFunction = llvm::Error (*)(llvm::StringRef name, llvm::Module &);

/// Prints what the conversion makes of a segmented kernel of hetIR.
inline llvm::Error printConverted(const char *path, ConvertFunction convert) {
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
  auto info = convert(kernel);
  if (failed(info))
    return llvm::createStringError("%s: could not be converted", path);
  llvm::outs() << "// layout: " << (info->layout ? "yes" : "none")
               << ", bytes of a thread: " << info->stateBytes << '\n'
               << *module;
  return llvm::Error::success();
}

/// Prints what a pass makes of a module of LLVM IR. One whose name begins with `emit-`
/// prints by itself.
inline llvm::Error printPass(llvm::StringRef name, const char *path, PassFunction run) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(path, diagnostic, context);
  if (!module)
    return llvm::createStringError("%s:%d: %s", path, diagnostic.getLineNo(),
                                   diagnostic.getMessage().str().c_str());
  module->setDataLayout(het::target::plainLayout);
  if (llvm::Error error = run(name, *module))
    return error;
  if (name.starts_with("emit-"))
    return llvm::Error::success();
  if (llvm::Error error = verifyModule(*module, "behind the pass"))
    return error;
  llvm::outs() << *module;
  return llvm::Error::success();
}

/// `TOOL convert FILE` or `TOOL PASS FILE`.
inline int runPassTool(int argc, char **argv, ConvertFunction convert, PassFunction run) {
  if (argc != 3) {
    llvm::errs() << "usage: " << argv[0] << " convert|PASS FILE\n";
    return 2;
  }
  llvm::StringRef name = argv[1];
  llvm::Error error = name == "convert" ? printConverted(argv[2], convert)
                                        : printPass(name, argv[2], run);
  if (!error)
    return 0;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}

} // namespace het::target

#endif // HET_TEST_TARGET_PASSTOOL_H
